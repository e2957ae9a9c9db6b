//! Writing a book chapter by chapter with scripted models: every way a chapter can go, and what survives.

mod answers;
mod bench;
mod contradictions;
mod correct;
mod degrade;
mod draft;
mod durability;
mod ending;
mod floor;
mod instructions;
mod mending;
mod planning;
mod prompts;
mod rewrite;
mod scenes;
mod size;
