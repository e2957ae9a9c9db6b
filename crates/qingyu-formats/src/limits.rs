//! Size limits for reading files.

/// Limits for untrusted files. The defaults suit a book of several million characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLimits {
    /// Maximum size of the file, in bytes.
    pub file: u64,
    /// Maximum size of marked-up text such as Markdown, in bytes: the parser holds all of the text in memory, at up to
    /// 60 times its size.
    pub marked: u64,
    /// Maximum number of entries of an archive.
    pub entries: usize,
    /// Maximum unpacked size of an entry, in bytes.
    pub entry: u64,
    /// Maximum unpacked size of all entries read, in bytes.
    pub unpacked: u64,
    /// Maximum compression ratio of an entry larger than 1 MiB.
    pub ratio: u64,
    /// Maximum nesting depth of elements.
    pub depth: usize,
    /// Maximum number of paragraphs, including blank lines. Each paragraph takes memory beside its text, so a file of
    /// line breaks alone would take many times its size.
    pub paragraphs: usize,
}

impl FileLimits {
    /// Size in bytes up to which the compression ratio of an entry is not limited.
    pub(crate) const FREE: u64 = 1 << 20;

    /// Maximum length of an entry name in bytes; every paragraph stores the name of its entry.
    pub const NAME: usize = 1_024;
}

impl Default for FileLimits {
    fn default() -> Self {
        Self {
            file: 200 << 20,
            marked: 20 << 20,
            entries: 10_000,
            entry: 50 << 20,
            unpacked: 200 << 20,
            ratio: 100,
            depth: 256,
            paragraphs: 1_000_000,
        }
    }
}
