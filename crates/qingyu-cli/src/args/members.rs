//! Arguments of `members`.

use clap::{Subcommand, ValueEnum};
use jiff::Timestamp;
use qingyu_studio::Right;

use super::access::after;

/// Commands for the members of a project.
#[derive(Debug, Subcommand)]
pub(crate) enum MembersCommand {
    /// List the members, with their roles.
    List {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
    },
    /// Add a person; the person's key is shown only once.
    Add {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The person's name, as shown beside their comments.
        person: String,
        /// The role.
        #[arg(long, default_value = "comment")]
        role: MemberRole,
        /// Lifetime of the membership, such as `30d` (default: no expiry).
        #[arg(long, value_name = "TIME", value_parser = after)]
        expires: Option<Timestamp>,
    },
    /// Change the role of a member; the person's key stays the same.
    Change {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The person's name, or the id of the person's key.
        person: String,
        /// The new role.
        #[arg(long)]
        role: MemberRole,
    },
    /// Remove a member: the person's key is revoked immediately.
    Remove {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The person's name, or the id of the person's key.
        person: String,
    },
}

/// The roles of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemberRole {
    /// Read only.
    Read,
    /// Read, and comment on words of chapters.
    Comment,
    /// Suggest other words for chapters as well.
    Suggest,
    /// Change the project, start runs and spend money.
    Write,
    /// Answer runs as their approver, and change the approvers of runs, as well.
    Approve,
}

impl From<MemberRole> for Right {
    fn from(role: MemberRole) -> Self {
        match role {
            MemberRole::Read => Self::Read,
            MemberRole::Comment => Self::Comment,
            MemberRole::Suggest => Self::Suggest,
            MemberRole::Write => Self::Write,
            MemberRole::Approve => Self::Approve,
        }
    }
}
