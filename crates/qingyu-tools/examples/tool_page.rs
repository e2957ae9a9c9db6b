//! Prints the reference page of all tools, `docs/tools.md`.

use std::sync::Arc;

use qingyu_tools::Toolbox;
use qingyu_tools::testing::NoProducer;

fn main() {
    print!("{}", Toolbox::writing().with_projects().with_content(Arc::new(NoProducer), None).page());
}
