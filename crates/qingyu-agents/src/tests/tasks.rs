//! Tasks with scripted models: who does what, what is written, what survives.

mod bench;
mod degrade;
mod durability;
mod flow;
mod growing;
mod tools;
