//! Reactions of simulated consumers, and their aggregation.
//!
//! Each persona reads once, from the first glance to the end ([`PersonaReading`]), which gives a [`Reaction`] for each
//! interaction. [`aggregate`] combines reactions without hiding disagreement. A failed reading is counted but excluded from
//! every mean.

mod aggregate;
mod answer;
mod persona;
mod reaction;

pub(crate) use aggregate::Demand;
pub use aggregate::{DropOff, Outcome, Point, Simulation, Stop, aggregate};
pub use answer::{
    ComprehensionAnswer, DropOffAnswer, ImpressionAnswer, ObjectionAnswer, PersonaReading, PurchaseAnswer, Scales,
};
pub use persona::{Persona, mentioned, personas, personas_of, points_of};
pub(crate) use reaction::AnswerProblem;
pub use reaction::{Buys, Interaction, Objection, Reaction, Read, Understood};

#[cfg(test)]
mod tests;
