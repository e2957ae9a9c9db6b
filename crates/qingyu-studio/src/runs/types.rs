//! The kinds of runs.

pub(crate) mod create;
#[cfg(feature = "bench")]
pub(crate) mod noop;
pub(crate) mod produce;
pub(crate) mod task;
pub(crate) mod write;

/// Evaluates an expression with `$type` as the [`RunType`](crate::runs::run_type::RunType) of a kind of runs.
macro_rules! of_kind {
    ($kind:expr, $type:ident => $work:expr) => {
        match $kind {
            crate::runs::kind::RunKind::Create => {
                type $type = crate::runs::types::create::CreateRun;
                $work
            }
            crate::runs::kind::RunKind::Write => {
                type $type = crate::runs::types::write::Write;
                $work
            }
            crate::runs::kind::RunKind::Task => {
                type $type = crate::runs::types::task::TaskRun;
                $work
            }
            crate::runs::kind::RunKind::Produce => {
                type $type = crate::runs::types::produce::ProduceRun;
                $work
            }
            #[cfg(feature = "bench")]
            crate::runs::kind::RunKind::Noop => {
                type $type = crate::runs::types::noop::NoopRun;
                $work
            }
        }
    };
}

pub(crate) use of_kind;
