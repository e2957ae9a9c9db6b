//! Kinds of errors.

/// The kind of an error: the caller's possible reaction. Front ends derive the status from the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request is invalid: change the request.
    Input,
    /// The request, or a text in the request, is too long: shorten it.
    TooLong,
    /// The caller is not authenticated: send a key.
    Unauthenticated,
    /// The caller is not authorized.
    Forbidden,
    /// The named object does not exist.
    NotFound,
    /// A concurrent change or an active run: read the current state, then retry.
    Conflict,
    /// The object is in the wrong state: change the state first.
    State,
    /// A model or a provider's filter refuses: change the request or the model.
    Refused,
    /// A limit is reached at the moment: retry later.
    Limit,
    /// The budget is exhausted: raise the budget.
    Budget,
    /// A key, a model or a setting is missing or wrong on this machine.
    Setup,
    /// The provider rejects the account, or is not found at the configured address.
    Account,
    /// The provider of a model failed: retry later, or with another provider.
    Provider,
    /// The server or its database is unavailable at the moment: retry later.
    Unavailable,
    /// A step of a run failed; see the message.
    Step,
    /// The disk is full.
    DiskFull,
    /// Files or tables are not usable.
    Storage,
    /// Stored data are damaged.
    Damaged,
    /// A defect of the program.
    Internal,
}

impl ErrorKind {
    /// Returns whether the message may reveal details of the machine, and belongs in its log only.
    pub fn is_of_the_machine(self) -> bool {
        matches!(self, Self::DiskFull | Self::Storage | Self::Damaged | Self::Internal)
    }
}
