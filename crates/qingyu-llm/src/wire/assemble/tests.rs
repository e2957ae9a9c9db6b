use super::*;

/// Id, index or -1, name, arguments.
type Piece = (&'static str, i64, &'static str, &'static str);

fn piece(id: &str, index: i64, name: &str, arguments: &str) -> ToolPiece {
    ToolPiece {
        id: Some(id.into()),
        index: (index >= 0).then_some(index),
        name: Some(name.into()),
        arguments: arguments.into(),
    }
}

/// The calls made of pieces of (id, index or -1, name, arguments), as `id name arguments`.
fn calls(pieces: &[Piece]) -> Vec<String> {
    let mut assembler = Assembler::new("m", None);
    for &(id, index, name, arguments) in pieces {
        assembler.tool(piece(id, index, name, arguments), &mut Vec::new());
    }
    let reply = assembler.reply(Value::Null).unwrap();
    reply.tool_calls.into_iter().map(|call| format!("{} {} {}", call.id, call.name, call.arguments)).collect()
}

#[test]
fn pieces_find_their_call() {
    let cases: &[(&str, &[Piece], &[&str])] = &[
        ("canonical", &[("a", 0, "f", ""), ("", 0, "", "{\"x\""), ("", 0, "", ":1}")], &["a f {\"x\":1}"]),
        ("id and name repeated", &[("a", 0, "f", "{\"x\""), ("a", 0, "f", ":1}")], &["a f {\"x\":1}"]),
        (
            "interleaved",
            &[("a", 0, "f", ""), ("b", 1, "g", ""), ("", 0, "", "{\"x\":1}"), ("", 1, "", "{\"y\":2}")],
            &["a f {\"x\":1}", "b g {\"y\":2}"],
        ),
        ("no index", &[("a", -1, "f", "{"), ("", -1, "", "}"), ("b", -1, "g", "{}")], &["a f {}", "b g {}"]),
        ("first index is 1", &[("a", 1, "f", "{"), ("", 1, "", "}")], &["a f {}"]),
        (
            "second head on the first index",
            &[("a", 0, "f", "{}"), ("b", 0, "g", "{\"y\""), ("", 0, "", ":2}")],
            &["a f {}", "b g {\"y\":2}"],
        ),
        (
            "arguments on another index than the head",
            &[("a", 0, "f", ""), ("", 1, "", "{\"x\":1}")],
            &["a f {\"x\":1}"],
        ),
        ("no id", &[("", 0, "f", "{}"), ("", 1, "g", "{}")], &["call_0 f {}", "call_1 g {}"]),
        ("neither id nor index", &[("", -1, "f", "{}"), ("", -1, "f", "{}")], &["call_0 f {}", "call_1 f {}"]),
        ("the name is repeated without id", &[("", -1, "f", "{\"x\""), ("", -1, "f", ":1}")], &["call_0 f {\"x\":1}"]),
        ("the id comes late", &[("", 0, "f", ""), ("a", 0, "", "{}")], &["a f {}"]),
        ("no arguments", &[("a", 0, "f", "")], &["a f {}"]),
        ("an empty head", &[("", 0, "", ""), ("a", 1, "f", "{}")], &["a f {}"]),
    ];
    for (what, pieces, expected) in cases {
        assert_eq!(calls(pieces), *expected, "{what}");
    }
}

#[test]
fn the_output_tool_becomes_the_text() {
    let mut assembler = Assembler::new("m", Some("Outline".into()));
    let mut events = Vec::new();
    assembler.tool(piece("a", 0, "", "{\"t\""), &mut events);
    assembler.tool(piece("a", 0, "Outline", ":"), &mut events);
    assembler.tool(piece("a", 0, "", "1}"), &mut events);
    let texts: Vec<&ChatEvent> = events.iter().filter(|event| matches!(event, ChatEvent::Text(_))).collect();
    assert_eq!(texts, [&ChatEvent::Text("{\"t\":".into()), &ChatEvent::Text("1}".into())]);
    assembler.finish("tool_use");
    let reply = assembler.reply(Value::Null).unwrap();
    assert_eq!((reply.text.as_str(), reply.tool_calls.len(), reply.finish), ("{\"t\":1}", 0, FinishReason::Stop));
}

#[test]
fn reasons_are_mapped_leniently() {
    let cases = [
        ("", false, Some(FinishReason::Stop)),
        ("stop", true, Some(FinishReason::ToolCalls)),
        ("tool_calls", false, Some(FinishReason::Stop)),
        ("eos_token", false, Some(FinishReason::Stop)),
        ("length", true, Some(FinishReason::Length)),
        ("sensitive", false, Some(FinishReason::Filtered)),
        ("pause_turn", false, Some(FinishReason::Other("pause_turn".into()))),
        ("insufficient_system_resource", false, None),
    ];
    for (reason, has_calls, expected) in cases {
        assert_eq!(finish(reason, has_calls), expected, "{reason}");
    }
}

#[test]
fn counts_that_say_nothing_are_ignored() {
    let mut assembler = Assembler::new("m", None);
    let counted = Usage { input: 3, output: 2, ..Usage::default() };
    let mut events = Vec::new();
    for usage in [Usage::default(), counted, Usage::default(), counted] {
        assembler.usage(usage, &mut events);
    }
    assert_eq!(events, [ChatEvent::Usage(counted)]);
}
