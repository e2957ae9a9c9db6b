//! How much of a file is read at most.

/// Bounds for files from strangers. The defaults suit a book of several million characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of the file.
    pub file: u64,
    /// The bytes of a text with marks, such as Markdown: its parser holds all of them at once, in up to 60 times their size.
    pub marked: u64,
    /// The entries of an archive.
    pub entries: usize,
    /// The bytes of one entry, unpacked.
    pub entry: u64,
    /// The bytes of all entries that are read, unpacked.
    pub unpacked: u64,
    /// How many times as large as its packed bytes an entry of more than [`Limits::FREE`] bytes may be.
    pub ratio: u64,
    /// How deep elements may stand within each other.
    pub depth: usize,
    /// The paragraphs, blank lines included. Each takes memory beside its text, so a file of line breaks alone would take many
    /// times its size.
    pub paragraphs: usize,
}

impl Limits {
    /// Entries up to this size may be packed as well as they can be.
    pub const FREE: u64 = 1 << 20;

    /// The longest name of an entry, in bytes: every paragraph says which entry it is from.
    pub const NAME: usize = 1_024;
}

impl Default for Limits {
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
