//! The command as its users meet it: the real binary, on the offline model, in a folder of its own.

mod home;

mod create;
mod failures;
mod help;
mod interruptions;
mod layers;
mod views;
