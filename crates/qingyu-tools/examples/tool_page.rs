//! Prints the page of all tools, `docs/tools.md`.

use qingyu_tools::Toolbox;

fn main() {
    print!("{}", Toolbox::writing().with_projects().page());
}
