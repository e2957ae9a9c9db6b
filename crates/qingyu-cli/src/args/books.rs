//! Arguments of the commands that bring books in and out, compare their versions, and branch them.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Tongue;

/// Books as files, their versions and their branches, on an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// Bring a manuscript in: as a book, chapter by chapter, or as a reference.
    Import(Import),
    /// Write a project's chapters as a file for readers or a platform.
    Export(Export),
    /// Show what is different between two versions of a text.
    Diff(Diff),
    /// Give a text back what it said in an earlier version.
    Restore(Restore),
    /// Tell a story in two ways: begin, list, compare, merge and delete branches.
    Branch(Branch),
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The manuscript: .txt, .md, .docx, .odt, .rtf or .epub; several files or a folder of them in natural order.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What it becomes.
    #[arg(long = "as", value_name = "ROLE", default_value = "book")]
    pub(crate) role: ImportRole,
    /// The project it goes into; a new one without it.
    #[arg(long, value_name = "PROJECT", conflicts_with = "title")]
    pub(crate) project: Option<String>,
    /// The title of the new project.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The language of the new project; that of the text without it.
    #[arg(long, value_name = "LANG", conflicts_with = "project")]
    pub(crate) lang: Option<Tongue>,
    /// The encoding of a plain text, such as gbk; found out without it.
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// Cut a text without headings at the first gap after so many characters.
    #[arg(long, value_name = "CHARACTERS")]
    pub(crate) cut: Option<usize>,
    /// The lines of headings, as a regular expression from the beginning of the line.
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["no_split", "cut"])]
    pub(crate) heading: Option<String>,
    /// Take the manuscript as one chapter.
    #[arg(long, conflicts_with = "cut")]
    pub(crate) no_split: bool,
    /// Put new text in the place of that of chapters with the same title.
    #[arg(long)]
    pub(crate) replace: bool,
    /// Say what would be done, and do nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// What a manuscript becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportRole {
    /// The book itself.
    Book,
    /// A text beside it, for style, search and originality.
    Reference,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The project.
    pub(crate) project: String,
    /// The format; else told by the output's name, else md.
    #[arg(long)]
    pub(crate) format: Option<ExportFormat>,
    /// The file, or - for standard output; named after the book without it.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Lay plain text out for a platform.
    #[arg(long)]
    pub(crate) platform: Option<Platform>,
    /// Only these chapters, such as 1-12, 7 or #2-#5.
    #[arg(long, value_name = "RANGE")]
    pub(crate) chapters: Option<String>,
    /// The author, for the cover.
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,
    /// Write over a file that is there.
    #[arg(long, short)]
    pub(crate) force: bool,
}

/// A format of books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Markdown.
    Md,
    /// Plain text.
    Txt,
    /// EPUB 3.
    Epub,
    /// DOCX.
    Docx,
}

/// A platform that takes plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Platform {
    /// 起点
    Qidian,
    /// 番茄
    Fanqie,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The project.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or place (`#4`); all texts without it.
    pub(crate) chapter: Option<String>,
    /// The older version: of the chapter, or the change of the project; the one before without it.
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<u64>,
    /// The newer version; the newest without it.
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: Option<u64>,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The project.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or place (`#4`).
    pub(crate) chapter: String,
    /// The version whose text it gets, as a new version.
    #[arg(long = "version", value_name = "VERSION")]
    pub(crate) number: u32,
}

/// Arguments of `branch`.
#[derive(Debug, Args)]
pub(crate) struct Branch {
    /// The project.
    pub(crate) project: String,
    /// What to do.
    #[arg(default_value = "list")]
    pub(crate) action: BranchAction,
    /// The branch.
    pub(crate) name: Option<String>,
    /// Begin it from the project as it was after this change.
    #[arg(long, value_name = "CHANGE")]
    pub(crate) at: Option<u64>,
    /// Which side is right where both have changed the same piece.
    #[arg(long, value_name = "SIDE")]
    pub(crate) take: Option<BranchSide>,
    /// Do not ask before it is deleted.
    #[arg(long = "yes", short = 'y')]
    pub(crate) unasked: bool,
}

/// What can be done with branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BranchAction {
    /// List them.
    List,
    /// Begin one.
    Create,
    /// Show what it and its project have changed.
    Compare,
    /// Bring its changes into its project.
    Merge,
    /// Take it away for good.
    Delete,
}

/// A side of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BranchSide {
    /// The project.
    Project,
    /// The branch.
    Branch,
}
