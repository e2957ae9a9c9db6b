//! Arguments of the commands importing, exporting, comparing and branching books.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::language::LanguageArg;

/// Commands for books as files, with versions and branches; they need an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// Import a manuscript as a book, chapter by chapter, or as a reference text.
    Import(ImportArgs),
    /// Export a project's chapters as a file for readers or a platform.
    Export(ExportArgs),
    /// Show the differences between two versions of a text.
    Diff(DiffArgs),
    /// Restore an earlier version of a text.
    Restore(RestoreArgs),
    /// Tell a story in two ways: create, list, compare, merge and delete branches.
    Branch(BranchArgs),
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The manuscript: .txt, .md, .docx, .odt, .rtf, .epub or .html; several files or a folder, in natural order; or the
    /// folder of a Scrivener or novelWriter project, in the order of the project.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Import as a book or as a reference text.
    #[arg(long = "as", value_name = "ROLE", default_value = "book")]
    pub(crate) role: ImportRole,
    /// The target project (default: a new project).
    #[arg(long, value_name = "PROJECT", conflicts_with = "title")]
    pub(crate) project: Option<String>,
    /// The title of the new project.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The language of the new project (default: the language of the text).
    #[arg(long, value_name = "LANG", conflicts_with = "project")]
    pub(crate) lang: Option<LanguageArg>,
    /// The encoding of a plain text, such as gbk (default: detected).
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// Split a text without headings at the first gap after the given number of characters.
    #[arg(long, value_name = "CHARACTERS")]
    pub(crate) cut: Option<usize>,
    /// A regular expression for heading lines, matched from the start of the line.
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["no_split", "cut"])]
    pub(crate) heading: Option<String>,
    /// Import the manuscript as a single chapter.
    #[arg(long, conflicts_with = "cut")]
    pub(crate) no_split: bool,
    /// Overwrite the text of chapters with the same title.
    #[arg(long)]
    pub(crate) replace: bool,
    /// Report the result without importing anything.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The role of an imported manuscript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportRole {
    /// The book itself.
    Book,
    /// A reference text, for style, search and originality.
    Reference,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The project.
    pub(crate) project: String,
    /// The format (default: the output's file extension, else md).
    #[arg(long)]
    pub(crate) format: Option<ExportFormat>,
    /// The output file, or - for standard output (default: named after the book).
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Lay the file out for a platform, a store or a submission.
    #[arg(long)]
    pub(crate) platform: Option<PlatformArg>,
    /// Only the given chapters, such as 1-12, 7 or #2-#5.
    #[arg(long, value_name = "RANGE")]
    pub(crate) chapters: Option<String>,
    /// The author's name for the cover.
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,
    /// Overwrite an existing file.
    #[arg(long, short)]
    pub(crate) force: bool,
}

/// An export format of books.
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

impl ExportFormat {
    /// Returns the name of the format.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Txt => "txt",
            Self::Epub => "epub",
            Self::Docx => "docx",
        }
    }
}

/// A platform, a store or a kind of submission with its own layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlatformArg {
    /// 起点
    Qidian,
    /// 番茄
    Fanqie,
    /// Kindle Direct Publishing (EPUB)
    Kdp,
    /// A manuscript for agents and magazines (DOCX)
    Manuscript,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The project.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or position such as #4 (default: all texts).
    pub(crate) chapter: Option<String>,
    /// The older version: of the chapter, or the change of the project (default: the previous version).
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<u64>,
    /// The newer version (default: the newest).
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: Option<u64>,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// The project.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or position (`#4`).
    pub(crate) chapter: String,
    /// The version to restore as a new version.
    #[arg(long = "version", value_name = "VERSION")]
    pub(crate) number: u32,
}

/// Arguments of `branch`.
#[derive(Debug, Args)]
pub(crate) struct BranchArgs {
    /// The project.
    pub(crate) project: String,
    /// The action.
    #[arg(default_value = "list")]
    pub(crate) action: BranchAction,
    /// The name of the branch.
    pub(crate) name: Option<String>,
    /// Create the branch from the project's state after the given change.
    #[arg(long, value_name = "CHANGE")]
    pub(crate) at: Option<u64>,
    /// The side to prefer for pieces changed on both sides.
    #[arg(long, value_name = "SIDE")]
    pub(crate) take: Option<BranchSide>,
    /// Delete without asking for confirmation.
    #[arg(long = "yes", short = 'y')]
    pub(crate) unasked: bool,
}

/// An action on branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BranchAction {
    /// List the branches.
    List,
    /// Create a branch.
    Create,
    /// Show the changes of the branch and of its project.
    Compare,
    /// Merge the changes of the branch into its project.
    Merge,
    /// Delete the branch permanently.
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
