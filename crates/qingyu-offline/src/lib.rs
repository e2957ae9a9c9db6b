//! The honest offline model: plans and structures by rules, never pretends to write.
