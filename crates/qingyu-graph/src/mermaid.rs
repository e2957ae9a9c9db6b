//! Drawing a graph as Mermaid text.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::{END, Graph, START, State};

/// Draws `graph`: plain edges solid, joins thick, routes and commands dotted.
pub(crate) fn draw<S: State>(graph: &Graph<S>) -> String {
    let mut ids: HashMap<&str, String> = HashMap::from([(START, "start".to_owned()), (END, "finish".to_owned())]);
    let mut text = "flowchart TD\n    start([start])\n".to_owned();
    for (index, (name, _)) in graph.nodes.iter().enumerate() {
        ids.insert(name, format!("n{index}"));
        line(&mut text, &format!("n{index}[\"{}\"]", name.replace('"', "#quot;")));
    }
    line(&mut text, "finish([end])");
    let id = |name: &str| ids.get(name).map(String::as_str).expect("the names of a compiled graph are known");
    for (from, to) in &graph.edges {
        line(&mut text, &format!("{} --> {}", id(from), id(to)));
    }
    for (sources, to) in &graph.joins {
        let sources: Vec<_> = sources.iter().map(|source| id(source)).collect();
        line(&mut text, &format!("{} ==> {}", sources.join(" & "), id(to)));
    }
    let routes = graph.routes.iter().map(|route| (&route.from, &route.targets));
    for (from, targets) in routes.chain(graph.targets.iter().map(|(from, targets)| (from, targets))) {
        for to in targets {
            line(&mut text, &format!("{} -.-> {}", id(from), id(to)));
        }
    }
    for (from, to) in &graph.handlers {
        line(&mut text, &format!("{} -. error .-> {}", id(from), id(to)));
    }
    text
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "    {content}").expect("writing to a string cannot fail");
}
