//! What can be said of a command without typing it: that the program, the Makefile and the workspace know what it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::LazyLock;

use super::root;
use crate::home::Home;

/// The commands of the program with their options, as its own help tells them.
pub(super) struct Program {
    options: OptionsByCommand,
}

/// Options by command, such as `produce new`; the empty one is the program itself.
type OptionsByCommand = BTreeMap<String, BTreeSet<String>>;

/// One call of the program: its words, without quotes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call(Vec<String>);

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_qingyu")).unwrap();
    let build = format!("{:?} {}", program.modified().unwrap(), program.len());
    // Each test may be a process of its own: the first one asks, and the others read what it was told.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands.json");
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path).unwrap();
    file.lock().unwrap();
    let mut kept = String::new();
    file.read_to_string(&mut kept).unwrap();
    let kept: Option<(String, OptionsByCommand)> = serde_json::from_str(&kept).ok();
    if let Some((_, options)) = kept.filter(|(of, _)| *of == build) {
        return Program { options };
    }
    let options = asked_options();
    file.set_len(0).unwrap();
    file.rewind().unwrap();
    file.write_all(serde_json::to_string(&(build, &options)).unwrap().as_bytes()).unwrap();
    Program { options }
});

/// The options of every command, read in its help.
fn asked_options() -> OptionsByCommand {
    let home = Home::new();
    let mut options = OptionsByCommand::new();
    let mut open = vec![String::new()];
    while let Some(command) = open.pop() {
        let words = command.split_whitespace().chain(["--help", "--ui-lang", "en"]).collect::<Vec<_>>();
        let help = home.run(&words).expect(0).stdout;
        let commands = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
        for line in commands.lines().take_while(|line| !line.is_empty()) {
            let name = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '));
            let name = name.and_then(|rest| rest.split_whitespace().next());
            open.extend(name.filter(|name| *name != "help").map(|name| format!("{command} {name}").trim().to_owned()));
        }
        let names = help.lines().map(str::trim).filter(|line| line.starts_with('-'));
        let names = names.flat_map(|line| line.split([' ', ',', '<', '[', '.']));
        options.insert(command, names.filter(|word| word.starts_with('-')).map(str::to_owned).collect());
    }
    options
}

impl Program {
    /// The program, asked once for each build of it.
    pub(super) fn asked() -> &'static Self {
        &PROGRAM
    }

    /// The commands that do something, without those that only hold others.
    pub(super) fn leaves(&self) -> impl Iterator<Item = &String> {
        let holds = |name: &str| self.options.keys().any(|other| other.starts_with(&format!("{name} ")));
        self.options.keys().filter(move |name| !name.is_empty() && !holds(name))
    }

    /// The command that is called; `None` if none is named or there is none of that name.
    pub(super) fn path(&self, call: &Call) -> Option<String> {
        self.known(call).ok().filter(|path| !path.is_empty())
    }

    /// The command that is called, or what in the call the program does not know.
    pub(super) fn known(&self, call: &Call) -> Result<String, String> {
        let (mut path, mut options) = (String::new(), BTreeSet::new());
        let mut words = call.0.iter();
        let mut is_path = true;
        while let Some(word) = words.next() {
            if let Some(option) = word.strip_prefix('-') {
                let name = word.split('=').next().unwrap_or_default();
                options.insert(name.to_owned());
                if path.is_empty() && takes_value(option) {
                    words.next();
                }
            } else if is_path {
                let longer = format!("{path} {word}").trim().to_owned();
                is_path = self.options.contains_key(&longer);
                if is_path {
                    path = longer;
                } else if self.holds_others(&path) && is_a_name(word) {
                    return Err(format!("there is no command `qingyu {longer}`"));
                }
            }
        }
        let known = &self.options[&path];
        match options.iter().find(|option| !known.contains(*option)) {
            Some(option) => Err(format!("`qingyu {path}` has no option `{option}`")),
            None => Ok(path),
        }
    }

    fn holds_others(&self, path: &str) -> bool {
        path.is_empty() || self.options.keys().any(|other| other.starts_with(&format!("{path} ")))
    }
}

/// Whether a global option stands before its value.
fn takes_value(option: &str) -> bool {
    ["-home", "-server", "-server-key-file", "-ui-lang", "-color"].contains(&option)
}

/// Whether it is a word that a person types as it is, and not a stand-in for one.
fn is_a_name(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// The calls of the program in a command line, or in a span of code.
pub(super) fn qingyu_calls(code: &str) -> Vec<Call> {
    let calls = lines_of_words(code).into_iter().filter_map(|words| {
        let is_assignment = |word: &String| word.split_once('=').is_some_and(|(name, _)| !name.starts_with('-'));
        let mut words = words.into_iter().skip_while(is_assignment);
        (words.next()? == "qingyu").then(|| Call(words.collect()))
    });
    calls.collect()
}

/// What a command names that does not exist: commands, options, targets of the Makefile, packages and examples.
pub(crate) fn unknown(code: &str) -> Vec<String> {
    let program = Program::asked();
    let mut wrong: Vec<_> = qingyu_calls(code).iter().filter_map(|call| program.known(call).err()).collect();
    for words in lines_of_words(code) {
        let named = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1);
        match words.first().map(String::as_str) {
            Some("make") => {
                let targets = words[1..].iter().filter(|word| !is_target(word));
                wrong.extend(targets.map(|target| format!("the Makefile has no target `{target}`")));
            }
            Some("cargo") => {
                let Some(package) = named("-p") else { continue };
                let folder = root().join("crates").join(package);
                let examples = folder.join("examples");
                let is_example = |name: &String| {
                    examples.join(format!("{name}.rs")).is_file() || examples.join(name).join("main.rs").is_file()
                };
                if !folder.is_dir() {
                    wrong.push(format!("there is no package `{package}`"));
                } else if let Some(example) = named("--example").filter(|name| !is_example(name)) {
                    wrong.push(format!("`{package}` has no example `{example}`"));
                }
            }
            _ => {}
        }
    }
    wrong
}

fn is_target(word: &str) -> bool {
    static MAKEFILE: LazyLock<String> = LazyLock::new(|| super::text_of("Makefile"));
    word.contains('=') || word.starts_with('-') || MAKEFILE.lines().any(|line| line.starts_with(&format!("{word}:")))
}

/// The simple commands of a line or block of shell, each as its words; brackets of a synopsis are left out.
fn lines_of_words(code: &str) -> Vec<Vec<String>> {
    let (mut all, mut words, mut word) = (Vec::new(), Vec::new(), String::new());
    let (mut quote, mut is_word, mut is_comment) = (None, false, false);
    let code = code.replace("\\\n", " ").replace("$(", "\n");
    for c in code.chars().chain(['\n']) {
        is_comment &= c != '\n';
        match (quote, c) {
            _ if is_comment => {}
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => word.push(c),
            (None, '\'' | '"') => (quote, is_word) = (Some(c), true),
            (None, '#') if !is_word => is_comment = true,
            (None, ' ' | '\n' | ';' | '|' | '&' | ')') => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
                if c != ' ' && !words.is_empty() {
                    all.push(std::mem::take(&mut words));
                }
            }
            (None, '[' | ']') => {}
            (None, c) => {
                word.push(c);
                is_word = true;
            }
        }
    }
    all
}

#[test]
fn what_the_program_does_not_know_is_found() {
    for code in [
        "qingyu create \"x --not-an-option\" --title Y",
        "qingyu --home here show <project> [outline|plot]",
        "A=1 qingyu produce new x | grep y && qingyu keys make --user mei",
        "make demo studio DEMO=1",
        "cargo run -p qingyu-graph --example chain",
        "qingyu memory list [words]",
    ] {
        assert_eq!(unknown(code), Vec::<String>::new(), "{code}");
    }
    for (code, wrong) in [
        ("qingyu creat x", "creat"),
        ("qingyu produce neu x", "produce neu"),
        ("true && qingyu create x --titel Y", "--titel"),
        ("echo $(qingyu show --everything)", "--everything"),
        ("make everything", "everything"),
        ("cargo test -p qingyu-none", "qingyu-none"),
        ("cargo run -p qingyu-graph --example none", "none"),
    ] {
        let told = unknown(code);
        assert!(told.len() == 1 && told[0].contains(wrong), "{code}: {told:?}");
    }
    assert_eq!(Program::asked().path(&qingyu_calls("qingyu produce new x")[0]).as_deref(), Some("produce new"));
}
