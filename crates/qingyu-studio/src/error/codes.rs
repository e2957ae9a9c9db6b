//! The stable code and the kind of every error, one row per variant.

use crate::error::kind::ErrorKind;
use crate::error::{Error, Noun, ProviderFailure, StorageFailure};

macro_rules! codes {
    ($type:ident: $($variant:ident $code:literal $kind:ident,)*) => {
        impl $type {
            /// Returns the stable code, for scripts and for the messages of front ends.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)*
                }
            }

            /// Returns the kind: the caller's possible reaction.
            pub fn kind(&self) -> ErrorKind {
                match self {
                    $(Self::$variant { .. } => ErrorKind::$kind,)*
                }
            }

            fn kind_of(code: &str) -> Option<ErrorKind> {
                match code {
                    $($code => Some(ErrorKind::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

macro_rules! rows {
    ($($variant:ident $code:literal $kind:ident,)*) => {
        impl Error {
            /// Returns the stable code, for scripts and for the messages of front ends.
            pub fn code(&self) -> &str {
                match self {
                    Self::Remote(failure) => &failure.code,
                    Self::Unknown { what, .. } => what.code(),
                    Self::Provider(failure) => failure.code(),
                    Self::Storage(failure) => failure.code(),
                    $(Self::$variant { .. } => $code,)*
                }
            }

            /// Returns the kind: the caller's possible reaction.
            pub fn kind(&self) -> ErrorKind {
                match self {
                    Self::Remote(failure) => ErrorKind::of_code(&failure.code),
                    Self::Unknown { what, .. } => what.kind(),
                    Self::Provider(failure) => failure.kind(),
                    Self::Storage(failure) => failure.kind(),
                    $(Self::$variant { .. } => ErrorKind::$kind,)*
                }
            }
        }

        impl ErrorKind {
            /// Returns the kind of the errors with the given code. For unknown codes, such as codes of a newer server,
            /// returns [`Self::NotFound`] for the prefix `unknown_`, else [`Self::Input`].
            pub fn of_code(code: &str) -> Self {
                let nested = || {
                    Noun::kind_of(code).or_else(|| ProviderFailure::kind_of(code)).or_else(|| StorageFailure::kind_of(code))
                };
                match code {
                    $($code => Self::$kind,)*
                    code => nested().unwrap_or(match code.starts_with("unknown_") {
                        true => Self::NotFound,
                        false => Self::Input,
                    }),
                }
            }
        }
    };
}

rows! {
    BadRequest "bad_request" Input,
    Unauthorized "unauthorized" Unauthenticated,
    ScheduleKeyInvalid "schedule_key_invalid" State,
    Limit "limit" Limit,
    BadUser "bad_user" Input,
    BadKey "bad_key" Input,
    Forbidden "forbidden" Forbidden,
    NotApprover "not_approver" Forbidden,
    RequirementEmpty "requirement_empty" Input,
    RequirementTooLong "requirement_too_long" TooLong,
    RequirementControl "requirement_control" Input,
    Ambiguous "ambiguous" Input,
    UnknownCheckpoint "unknown_checkpoint" NotFound,
    NothingToResume "nothing_to_resume" State,
    NotWaiting "not_waiting" State,
    QuestionChanged "question_changed" State,
    BadMaterial "bad_material" Input,
    ThreadBusy "thread_busy" Conflict,
    RunUnfinished "run_unfinished" State,
    PartsFailed "parts_failed" Step,
    Production "production" Input,
    FieldConflict "field_conflict" Conflict,
    ChapterChanged "chapter_changed" Conflict,
    NoReason "no_reason" Input,
    BadComment "bad_comment" Input,
    Unclear "unclear" Input,
    NoText "no_text" NotFound,
    QuestionEmpty "question_empty" Input,
    QuestionTooLong "question_too_long" TooLong,
    BadCondition "bad_condition" Input,
    BadPattern "bad_pattern" Input,
    UnknownChange "unknown_change" NotFound,
    ChangedSince "changed_since" Conflict,
    BadMemory "bad_memory" Input,
    BadManuscript "bad_manuscript" Input,
    DifferentText "different_text" State,
    NoChapters "no_chapters" Input,
    AmbiguousChapter "ambiguous_chapter" Input,
    BadChapterEdit "bad_chapter_edit" Input,
    UnknownVersion "unknown_version" NotFound,
    ProjectBinned "project_binned" State,
    ProjectNotBinned "project_not_binned" State,
    BadPicture "bad_picture" Input,
    SeriesCircle "series_circle" Input,
    UnknownBranch "unknown_branch" NotFound,
    BadBranch "bad_branch" Input,
    BranchConflict "branch_conflict" Conflict,
    Unwritten "unwritten" Input,
    NoMirror "no_mirror" State,
    Conflict "conflict" Conflict,
    NoCassette "no_cassette" State,
    BadCassette "bad_cassette" Input,
    BadModelFile "bad_model_file" Setup,
    NoModelServer "no_model_server" Setup,
    NotRecorded "not_recorded" Input,
    BadSettings "bad_settings" Setup,
    BadPrompt "bad_prompt" Setup,
    UnknownModel "unknown_model" NotFound,
    ModelNotServed "model_not_served" Setup,
    NoKey "no_key" Setup,
    Budget "budget" Budget,
    RequestAtWork "request_at_work" Conflict,
    RequestInterrupted "request_interrupted" Conflict,
    Overloaded "overloaded" Unavailable,
    Stopping "stopping" Unavailable,
    Stalled "run_stalled" State,
    GraphChanged "graph_changed" State,
    Pipeline "pipeline" Step,
    Internal "internal" Internal,
}

codes! {
    Noun:
    Project "unknown_project" NotFound,
    Run "unknown_run" NotFound,
    Graph "unknown_graph" NotFound,
    Agent "unknown_agent" Input,
    StateField "unknown_field" Input,
    Node "unknown_node" Input,
    User "unknown_user" NotFound,
    Key "unknown_key" NotFound,
    Member "unknown_member" NotFound,
    Approver "unknown_approver" NotFound,
    Rule "unknown_rule" NotFound,
    Genre "unknown_genre" NotFound,
    Finding "unknown_finding" NotFound,
    Comment "unknown_comment" NotFound,
    Piece "unknown_piece" NotFound,
    Platform "unknown_platform" NotFound,
    SearchField "unknown_search_field" Input,
    PieceKind "unknown_kind" NotFound,
    Memory "unknown_memory" NotFound,
    Document "unknown_document" NotFound,
    Prompt "unknown_prompt" NotFound,
    ToolServer "unknown_server" NotFound,
}

codes! {
    ProviderFailure:
    Refused "provider_refused" Account,
    NoCredit "no_credit" Account,
    Busy "provider_busy" Limit,
    Address "provider_address" Account,
    Filtered "content_refused" Refused,
    Empty "empty_answer" Provider,
    Cut "answer_cut" Provider,
    Failed "provider" Provider,
    PromptTooLong "prompt_too_long" TooLong,
    Unreachable "provider_unreachable" Provider,
    BadOutput "bad_output" Provider,
    Unsupported "unsupported" Refused,
}

codes! {
    StorageFailure:
    Unreachable "database_unreachable" Unavailable,
    OnServer "on_server" Input,
    TargetExists "target_exists" Input,
    HasData "has_data" Input,
    DiskFull "disk_full" DiskFull,
    ReadOnly "read_only" Storage,
    Corrupt "corrupt" Damaged,
    Busy "database_busy" Unavailable,
    NewerData "newer_data" Storage,
    Failed "storage" Storage,
}

#[cfg(test)]
mod tests {
    use crate::{Error, ErrorKind, FailureRecord};

    #[test]
    fn a_failure_of_another_server_has_the_kind_of_its_code() {
        for (code, kind) in [
            ("thread_busy", ErrorKind::Conflict),
            ("unknown_project", ErrorKind::NotFound),
            ("unknown_dragon", ErrorKind::NotFound),
            ("bad_dragon", ErrorKind::Input),
            ("corrupt", ErrorKind::Damaged),
        ] {
            let failure = FailureRecord { code: code.into(), message: String::new(), data: Default::default() };
            let error = Error::Remote(failure);
            assert_eq!((error.code(), error.kind()), (code, kind));
        }
    }
}
