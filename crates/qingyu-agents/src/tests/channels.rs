//! The names of the types of channels. Runs store them, and a run whose names have changed cannot be resumed.

use crate::{ContentProductionState, PipelineState, TaskState, WritingState};
use qingyu_graph::State;

fn value<S: State>(channel: &str) -> &'static str {
    S::CHANNELS.iter().find(|known| known.name == channel).unwrap().value
}

#[test]
fn types_of_channels_keep_their_names() {
    assert_eq!(value::<TaskState>("messages"), "Vec<CallRecord>");
    assert_eq!(value::<PipelineState>("messages"), "Vec<CallRecord>");
    assert_eq!(value::<PipelineState>("requests"), "Vec<Request>");
    assert_eq!(value::<ContentProductionState>("calls"), "Vec<CallRecord>");
    assert_eq!(value::<ContentProductionState>("work"), "Work");
    assert_eq!(value::<WritingState>("chapter"), "Option<ChapterInHand>");
    assert_eq!(value::<WritingState>("messages"), "Vec<CallRecord>");
    assert_eq!(value::<WritingState>("readings"), "BTreeMap<u32,ChapterInReading>");
}
