//! The stable code and the kind of every error, one row per variant.

use crate::error::Error;
use crate::error::kind::ErrorKind;

macro_rules! rows {
    ($($variant:ident $code:literal $kind:ident,)*) => {
        impl Error {
            /// Returns the stable code, for scripts and for the messages of front ends.
            pub fn code(&self) -> &str {
                match self {
                    Self::Remote(failure) => &failure.code,
                    $(Self::$variant { .. } => $code,)*
                }
            }

            /// Returns the kind: the caller's possible reaction.
            pub fn kind(&self) -> ErrorKind {
                match self {
                    Self::Remote(failure) => ErrorKind::of_code(&failure.code),
                    $(Self::$variant { .. } => ErrorKind::$kind,)*
                }
            }
        }

        impl ErrorKind {
            /// Returns the kind of the errors with the given code. For unknown codes, such as codes of a newer server,
            /// returns [`Self::NotFound`] for the prefix `unknown_`, else [`Self::Input`].
            pub fn of_code(code: &str) -> Self {
                match code {
                    $($code => Self::$kind,)*
                    code if code.starts_with("unknown_") => Self::NotFound,
                    _ => Self::Input,
                }
            }
        }
    };
}

rows! {
    BadRequest "bad_request" Input,
    Unauthorized "unauthorized" Unauthenticated,
    Limit "limit" Limit,
    UnknownUser "unknown_user" NotFound,
    BadUser "bad_user" Input,
    UnknownKey "unknown_key" NotFound,
    BadKey "bad_key" Input,
    Unreachable "database_unreachable" Unavailable,
    OnServer "on_server" Input,
    Forbidden "forbidden" Forbidden,
    RequirementEmpty "requirement_empty" Input,
    RequirementTooLong "requirement_too_long" TooLong,
    RequirementControl "requirement_control" Input,
    UnknownProject "unknown_project" NotFound,
    UnknownRun "unknown_run" NotFound,
    Ambiguous "ambiguous" Input,
    UnknownGraph "unknown_graph" NotFound,
    UnknownAgent "unknown_agent" Input,
    UnknownCheckpoint "unknown_checkpoint" NotFound,
    UnknownField "unknown_field" Input,
    UnknownNode "unknown_node" Input,
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
    UnknownRule "unknown_rule" NotFound,
    UnknownGenre "unknown_genre" NotFound,
    UnknownFinding "unknown_finding" NotFound,
    NoReason "no_reason" Input,
    UnknownComment "unknown_comment" NotFound,
    BadComment "bad_comment" Input,
    UnknownPiece "unknown_piece" NotFound,
    Unclear "unclear" Input,
    UnknownPlatform "unknown_platform" NotFound,
    NoText "no_text" NotFound,
    QuestionEmpty "question_empty" Input,
    QuestionTooLong "question_too_long" TooLong,
    BadCondition "bad_condition" Input,
    UnknownSearchField "unknown_search_field" Input,
    UnknownKind "unknown_kind" NotFound,
    BadPattern "bad_pattern" Input,
    UnknownChange "unknown_change" NotFound,
    ChangedSince "changed_since" Conflict,
    UnknownMemory "unknown_memory" NotFound,
    BadMemory "bad_memory" Input,
    BadManuscript "bad_manuscript" Input,
    DifferentText "different_text" State,
    NoChapters "no_chapters" Input,
    UnknownDocument "unknown_document" NotFound,
    AmbiguousChapter "ambiguous_chapter" Input,
    BadChapterEdit "bad_chapter_edit" Input,
    UnknownVersion "unknown_version" NotFound,
    ProjectBinned "project_binned" State,
    ProjectNotBinned "project_not_binned" State,
    BadCover "bad_cover" Input,
    UnknownBranch "unknown_branch" NotFound,
    BadBranch "bad_branch" Input,
    BranchConflict "branch_conflict" Conflict,
    Unwritten "unwritten" Input,
    Conflict "conflict" Conflict,
    NoCassette "no_cassette" State,
    BadCassette "bad_cassette" Input,
    BadModelFile "bad_model_file" Setup,
    NoModelServer "no_model_server" Setup,
    NotRecorded "not_recorded" Input,
    BadSettings "bad_settings" Setup,
    UnknownPrompt "unknown_prompt" NotFound,
    BadPrompt "bad_prompt" Setup,
    UnknownServer "unknown_server" NotFound,
    UnknownModel "unknown_model" NotFound,
    ModelNotServed "model_not_served" Setup,
    NoKey "no_key" Setup,
    Budget "budget" Budget,
    ProviderRefused "provider_refused" Account,
    ProviderAddress "provider_address" Account,
    ContentRefused "content_refused" Refused,
    EmptyAnswer "empty_answer" Provider,
    AnswerCut "answer_cut" Provider,
    NoCredit "no_credit" Account,
    ProviderBusy "provider_busy" Limit,
    Provider "provider" Provider,
    PromptTooLong "prompt_too_long" TooLong,
    ProviderUnreachable "provider_unreachable" Provider,
    BadOutput "bad_output" Provider,
    Unsupported "unsupported" Refused,
    TargetExists "target_exists" Input,
    HasData "has_data" Input,
    DiskFull "disk_full" DiskFull,
    ReadOnly "read_only" Storage,
    Corrupt "corrupt" Damaged,
    RequestAtWork "request_at_work" Conflict,
    RequestInterrupted "request_interrupted" Conflict,
    Overloaded "overloaded" Unavailable,
    Stopping "stopping" Unavailable,
    DatabaseBusy "database_busy" Unavailable,
    NewerData "newer_data" Storage,
    Storage "storage" Storage,
    Stalled "run_stalled" State,
    GraphChanged "graph_changed" State,
    Pipeline "pipeline" Step,
    Internal "internal" Internal,
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
