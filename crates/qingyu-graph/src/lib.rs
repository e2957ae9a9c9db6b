//! A durable state graph: typed state, supersteps, checkpoints, interrupts, steps paid for once.
