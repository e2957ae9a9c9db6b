//! The one API over everything: plain commands in, plain events out.
