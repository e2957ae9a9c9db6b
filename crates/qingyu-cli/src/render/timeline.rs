//! Events on a timeline, and plot nodes.

use qingyu_studio::knowledge::telling::Tellings;
use qingyu_studio::story::check::undecided;
use qingyu_studio::story::settlement::{Differs, as_described, told_description};
use qingyu_studio::story::telling::first_teller;
use qingyu_studio::story::time::{in_numbers, in_order};
use qingyu_studio::story::{Document, Mode, OutlineNode, PlotNode, Story, TimelineEvent};
use serde_json::{Value, json};

use super::page::{CARE, FAINT, NAME, PLAIN, STRONG, TextPage, WRONG, paint};
use super::wrap::{pad, width, wrap};

/// Maximum width of the time column left of the line, in columns.
const TIME_LIMIT: usize = 20;

/// Draws the events down a line in the order of their times, which are on the left. A filled dot is a narrated event, an
/// open dot any other mode. A planned event that a text tells otherwise is as told, with what the author has to decide.
pub(crate) fn timeline(page: &mut TextPage<'_>, story: &Story) {
    let told = as_described(story);
    let tellings = Tellings::of(story);
    let undecided = undecided(story);
    let events = &told.timeline_events;
    let texts = page.texts();
    page.heading(&texts.fill("timeline-title", &[("count", events.len().into())]));
    let time =
        |event: &TimelineEvent| in_numbers(&event.timestamp).unwrap_or_else(|| event.timestamp.trim().to_owned());
    let times: Vec<Vec<String>> = events.iter().map(|event| wrap(&time(event), TIME_LIMIT)).collect();
    let left = times.iter().flatten().map(|time| width(time)).max().unwrap_or(0);
    for (number, position) in in_order(&told).into_iter().enumerate() {
        let (event, time) = (&events[position], &times[position]);
        let last = number + 1 == events.len();
        let dot = if event.mode == Mode::Narrated { "●" } else { "○" };
        let bar = if last { " " } else { "│" };
        let stem = format!("  {} {bar}  ", " ".repeat(left));
        let room = page.width().saturating_sub(width(&stem));
        let title = wrap(&title(page, event), room).into_iter().map(|line| (STRONG, line));
        let open = open_questions(page, story, &undecided, position).into_iter().map(|text| (CARE, text));
        let details: Vec<_> = details(page, event, story, &tellings).into_iter().chain(open).collect();
        let details =
            details.iter().flat_map(|(style, text)| wrap(text, room).into_iter().map(move |line| (*style, line)));
        let lines: Vec<_> = title.chain(details).collect();
        // A time that is wider than its column goes on below.
        for row in 0..lines.len().max(time.len()) {
            let mark = if row == 0 { paint(importance_style(event), dot) } else { paint(FAINT, bar) };
            let head = match time.get(row) {
                Some(time) => format!("  {} {mark}  ", paint(NAME, &pad(time, left))),
                None => paint(FAINT, &stem),
            };
            let line = lines.get(row).map(|(style, line)| paint(*style, line)).unwrap_or_default();
            page.line(format!("{head}{line}").trim_end());
        }
        if !last {
            page.line(&paint(FAINT, stem.trim_end()));
        }
    }
}

/// Returns the events in the order in which [`timeline`] draws them.
pub(crate) fn events(story: &Story) -> Value {
    let order = in_order(&as_described(story));
    order.into_iter().map(|position| json!(story.timeline_events[position])).collect()
}

/// Returns what texts tell of an event otherwise than planned, a line each.
fn open_questions(
    page: &TextPage<'_>,
    story: &Story,
    undecided: &[(&Document, usize, &Differs)],
    event: usize,
) -> Vec<String> {
    let open = undecided.iter().filter(|(_, at, _)| *at == event);
    let line = |(document, _, differs): &(&Document, usize, &Differs)| {
        let planned = &story.timeline_events[event];
        let (key, planned) = match differs.field.as_str() {
            "timestamp" => ("event-open-time", planned.timestamp.trim()),
            "participants" => ("event-open-participants", ""),
            "deaths" => ("event-open-deaths", ""),
            _ => ("event-open-place", planned.location.as_deref().unwrap_or_default().trim()),
        };
        let said = [
            ("document", document.title.trim().into()),
            ("told", differs.told.trim().into()),
            ("planned", planned.into()),
        ];
        page.texts().fill(key, &said)
    };
    open.map(line).collect()
}

fn title(page: &TextPage<'_>, event: &TimelineEvent) -> String {
    let texts = page.texts();
    let mode = (event.mode != Mode::Narrated)
        .then(|| texts.fill("event-mode", &[("mode", texts.word("mode", event.mode).into())]));
    let weight = (event.importance > 0).then(|| format!("{}/10", event.importance));
    [Some(event.title.clone()), mode, weight].into_iter().flatten().collect::<Vec<_>>().join("  ")
}

fn details(
    page: &TextPage<'_>,
    event: &TimelineEvent,
    story: &Story,
    tellings: &Tellings<'_>,
) -> Vec<(anstyle::Style, String)> {
    let comma = page.texts().get("list-comma");
    let who = [event.participants.join(&comma), event.location.clone().unwrap_or_default(), event.duration.clone()];
    let who = who.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    let planned = event.outline_node.as_deref().map(|node| node_name(node, &story.outline_nodes)).unwrap_or_default();
    let is_told = tellings.is_told(event);
    // The chapter that tells an event may differ from the one for which it was planned.
    let teller = is_told.then(|| first_teller(story, event)).flatten();
    let teller = teller.map(|document| document.title.trim().to_owned());
    let node = teller.unwrap_or(planned);
    let key = match told_description(story, event) {
        _ if !is_told => "event-planned",
        // A chapter tells the event, but the story has only the description of the plan.
        None if !event.description.trim().is_empty() => "event-told-as-planned",
        _ => "event-told",
    };
    let labelled = |key: &str, text: String| if text.is_empty() { text } else { format!("{}{text}", page.label(key)) };
    let lines = [
        (NAME, who),
        (PLAIN, event.description.clone()),
        (WRONG, labelled("event-deaths", event.deaths.join(&comma))),
        (FAINT, labelled("event-after", event.after.join(&comma))),
        (FAINT, labelled(key, node)),
    ];
    lines.into_iter().filter(|(_, text)| !text.trim().is_empty()).collect()
}

/// Draws the plot nodes with their causes.
pub(crate) fn plot(page: &mut TextPage<'_>, nodes: &[PlotNode], events: &[TimelineEvent], outline: &[OutlineNode]) {
    let texts = page.texts();
    let comma = texts.get("list-comma");
    page.heading(&texts.fill("plot-title", &[("count", nodes.len().into())]));
    for (number, node) in nodes.iter().enumerate() {
        let kind = texts.word("plot-kind", node.kind);
        page.lead(2, &format!("{}. {kind}  ", number + 1), NAME, STRONG, &node.title);
        page.paragraph(5, PLAIN, &node.description);
        page.labelled(5, "plot-node-outline", &node_name(node.outline_node.as_deref().unwrap_or_default(), outline));
        let causes: Vec<&str> = node.causes.iter().map(|cause| plot_title(cause, nodes)).collect();
        page.labelled(5, "plot-node-causes", &causes.join(&comma));
        let made_of: Vec<&str> = node.events.iter().map(|event| event_title(event, events)).collect();
        page.labelled(5, "plot-node-events", &made_of.join(&comma));
    }
}

fn node_name(reference: &str, outline: &[OutlineNode]) -> String {
    outline.iter().find(|node| node.id == reference).map_or_else(|| reference.to_owned(), |node| node.name.clone())
}

fn plot_title<'a>(reference: &'a str, nodes: &'a [PlotNode]) -> &'a str {
    nodes.iter().find(|node| node.id == reference).map_or(reference, |node| &node.title)
}

fn event_title<'a>(reference: &'a str, events: &'a [TimelineEvent]) -> &'a str {
    events.iter().find(|event| event.id == reference).map_or(reference, |event| &event.title)
}

fn importance_style(event: &TimelineEvent) -> anstyle::Style {
    match event.importance {
        9.. => WRONG,
        6..9 => CARE,
        _ => PLAIN,
    }
}
