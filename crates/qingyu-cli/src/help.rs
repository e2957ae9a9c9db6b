//! The help in the user's language: English from the arguments' doc comments, Chinese by replacing the texts.

use clap::{Arg, Command, CommandFactory};
use qingyu_studio::story::Language;

use crate::args::Cli;
use crate::texts::LocalizedTexts;

/// Returns the command with its help in the language of `texts`.
pub(crate) fn command(texts: &LocalizedTexts) -> Command {
    let mut command = Cli::command();
    command.build();
    match texts.language() {
        Language::En => command,
        Language::Zh => translate(command, texts, "", "qingyu"),
    }
}

/// The subcommand added by the parser.
pub(crate) const HELP: &str = "help";

/// Replaces the texts of `command`, stored under `name`, and of its subcommands recursively.
fn translate(mut command: Command, texts: &LocalizedTexts, parent: &str, name: &str) -> Command {
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let usage = usage
        .replace("[OPTIONS]", &texts.get("help-usage-options"))
        .replace("[COMMAND]", &texts.get("help-usage-command"))
        .replace("<COMMAND>", &texts.get("help-usage-command"));
    let template = format!("{{about-with-newline}}\n{}{{usage}}\n\n{{all-args}}\n", texts.get("help-usage"));
    command
        .about(texts.get(&command_key(parent, name)))
        .override_usage(usage)
        .help_template(template)
        .subcommand_help_heading(texts.get("help-commands"))
        .mut_args(|argument| translate_argument(argument, texts, name))
        .mut_subcommands(|inner| {
            let inner_name = inner.get_name().to_owned();
            // The subcommands of `help` repeat the names of all commands; their texts are never shown.
            if name == HELP { inner } else { translate(inner, texts, name, &inner_name) }
        })
}

fn translate_argument(argument: Arg, texts: &LocalizedTexts, command: &str) -> Arg {
    let key = argument_key(&argument, command);
    let values: Vec<String> = match argument.get_action().takes_values() {
        true => {
            let shown = argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
            shown.map(|value| value.get_name().to_owned()).collect()
        }
        false => Vec::new(),
    };
    let default = argument.get_default_values().first().filter(|_| !values.is_empty());
    let default = default.map(|value| texts.fill("help-default", &[("value", value.to_string_lossy().into())]));
    let default = default.unwrap_or_default();
    let all = texts.fill("help-values", &[("values", values.join(", ").into())]);
    let choice = if values.is_empty() { String::new() } else { all };
    let text = texts.get(&key);
    let long = values.iter().map(|name| format!("\n- {name}: {}", texts.get(&format!("{key}-{name}"))));
    let long = if values.is_empty() { text.clone() } else { format!("{text}{default}\n{}", long.collect::<String>()) };
    let heading = match argument.is_positional() {
        true => "help-arguments",
        false if argument.is_global_set() => "help-global",
        false => "help-options",
    };
    argument
        .help(format!("{text}{choice}{default}"))
        .long_help(long)
        .help_heading(texts.get(heading))
        .hide_possible_values(true)
        .hide_default_value(true)
}

/// Returns the text key of a command; a subcommand may share its name with a top-level command.
pub(crate) fn command_key(parent: &str, name: &str) -> String {
    match parent {
        _ if name == HELP => format!("command-{name}"),
        "" | "qingyu" => format!("command-{name}"),
        parent => format!("command-{parent}-{name}"),
    }
}

/// Returns the text key of an argument; arguments shared by every command have no command in their key.
pub(crate) fn argument_key(argument: &Arg, command: &str) -> String {
    let id = argument.get_id().as_str().replace('_', "-");
    let shared = argument.is_global_set() || matches!(id.as_str(), "help" | "version" | "events" | "yes" | "quiet");
    if shared { format!("argument-{id}") } else { format!("argument-{command}-{id}") }
}
