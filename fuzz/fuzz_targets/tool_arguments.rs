//! Any text as the arguments of each writing tool: the first byte chooses the tool.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use qingyu_tools::Toolbox;
use qingyu_tools::testing::fuzz;
use qingyu_tools::toolbox::Filter;

static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| Toolbox::writing().list(Filter::default()).map(|tool| tool.name.clone()).collect());

fuzz_target!(|input: (u8, &str)| {
    let (choice, arguments) = input;
    fuzz(&NAMES[usize::from(choice) % NAMES.len()], arguments);
});
