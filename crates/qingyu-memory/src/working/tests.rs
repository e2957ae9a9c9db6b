use proptest::prelude::*;
use qingyu_llm::ToolCall;
use qingyu_llm::tokens::DefaultCounter;

use super::*;

/// One token a character.
#[derive(Debug)]
struct Characters;

impl TokenCounter for Characters {
    fn count(&self, text: &str) -> u64 {
        text.chars().count() as u64
    }
}

fn calling(id: &str, name: &str) -> ChatMessage {
    let call = ToolCall { id: id.into(), name: name.into(), arguments: "{}".into() };
    ChatMessage { tool_calls: vec![call], ..ChatMessage::assistant("") }
}

fn texts(messages: &[ChatMessage]) -> Vec<&str> {
    messages.iter().map(|message| message.text.as_str()).collect()
}

fn characters(budget: u64) -> WorkingMemory {
    WorkingMemory::new(Arc::new(Characters), budget)
}

fn cost(counter: &dyn TokenCounter, messages: &[ChatMessage]) -> u64 {
    messages.iter().map(|message| of_message(counter, message)).sum()
}

/// Each message of ten characters costs fourteen.
fn talk() -> Vec<ChatMessage> {
    vec![
        ChatMessage::system("ssssssssss"),
        ChatMessage::user("first word"),
        ChatMessage::assistant("an answer."),
        ChatMessage::user("newest one"),
    ]
}

#[test]
fn the_oldest_fall_out_and_the_rest_keeps_its_order() {
    for (budget, expected) in [
        (56, vec!["ssssssssss", "first word", "an answer.", "newest one"]),
        (55, vec!["ssssssssss", "an answer.", "newest one"]),
        (41, vec!["ssssssssss", "newest one"]),
        (28, vec!["ssssssssss", "newest one"]),
    ] {
        let cut = characters(budget).cut(talk()).unwrap();
        assert_eq!(texts(&cut), expected, "{budget}");
        assert_eq!(cost(&Characters, &cut), 14 * expected.len() as u64);
    }
    let refused = characters(27).cut(talk());
    assert!(matches!(refused, Err(Error::OverBudget { needed: 28, budget: 27 })), "{refused:?}");
    assert_eq!(characters(0).cut(Vec::new()).unwrap(), []);
}

#[test]
fn a_call_stays_with_its_results() {
    let mut conversation = talk();
    conversation.extend([
        calling("1", "a"),
        ChatMessage::tool("1", "result one"),
        ChatMessage::assistant("so it goes"),
    ]);
    let whole = cost(&Characters, &characters(1_000).cut(conversation.clone()).unwrap());
    let without_first = characters(whole - 28).cut(conversation.clone()).unwrap();
    assert_eq!(texts(&without_first), ["ssssssssss", "newest one", "", "result one", "so it goes"]);
    let cut = characters(whole - 29).cut(conversation).unwrap();
    assert_eq!(texts(&cut), ["ssssssssss", "newest one", "so it goes"], "never one without the other");
}

/// Conversations as they come, and as they should not: results far from their calls, or without one.
fn conversations() -> impl Strategy<Value = Vec<ChatMessage>> {
    let text = "[a-z雪夜。 ]{0,40}";
    let turn = prop_oneof![
        4 => text.prop_map(|text| vec![ChatMessage::user(text)]),
        4 => text.prop_map(|text| vec![ChatMessage::assistant(text)]),
        3 => (0..6u8, text).prop_map(|(id, text)| {
            vec![calling(&id.to_string(), "look"), ChatMessage::tool(id.to_string(), text)]
        }),
        1 => (0..6u8).prop_map(|id| vec![calling(&id.to_string(), "late")]),
        1 => (0..6u8, text).prop_map(|(id, text)| vec![ChatMessage::tool(id.to_string(), text)]),
    ];
    (any::<bool>(), prop::collection::vec(turn, 0..16)).prop_map(|(has_system, turns)| {
        let system = has_system.then(|| ChatMessage::system("You write."));
        system.into_iter().chain(turns.into_iter().flatten()).collect()
    })
}

proptest! {
    #[test]
    fn what_stays_fits_keeps_its_order_and_what_belongs_together(
        conversation in conversations(),
        budget in 0..600u64,
        by_characters in any::<bool>(),
    ) {
        let counter: Arc<dyn TokenCounter> = if by_characters { Arc::new(Characters) } else { Arc::new(DefaultCounter) };
        let memory = WorkingMemory::new(Arc::clone(&counter), budget);
        let kept = match memory.cut(conversation.clone()) {
            Ok(kept) => kept,
            Err(Error::OverBudget { needed, budget: told }) => {
                prop_assert!(needed > told && told == budget, "{needed} of {told}");
                prop_assert!(needed <= cost(&*counter, &conversation));
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        prop_assert!(cost(&*counter, &kept) <= budget, "{kept:?} over {budget}");
        if cost(&*counter, &conversation) <= budget {
            prop_assert_eq!(&kept, &conversation, "what fits is not touched");
        }
        let mut places = conversation.iter();
        for message in &kept {
            prop_assert!(places.any(|original| original == message), "whole messages, in their order");
        }
        let newest = conversation.iter().rev().find(|message| message.role == MessageRole::User);
        prop_assert!(newest.is_none_or(|newest| kept.contains(newest)));
        let systems = |messages: &[ChatMessage]| messages.iter().filter(|message| message.role == MessageRole::System).count();
        prop_assert_eq!(systems(&kept), systems(&conversation));
        for (place, message) in kept.iter().enumerate() {
            let Some(id) = &message.tool_call_id else { continue };
            let is_called = |messages: &[ChatMessage]| {
                messages.iter().flat_map(|message| &message.tool_calls).any(|call| call.id == *id)
            };
            let original = conversation.iter().position(|other| other == message).expect("it is one of them");
            prop_assert!(is_called(&kept[..place]) || !is_called(&conversation[..original]), "a result has its call");
        }
    }
}
