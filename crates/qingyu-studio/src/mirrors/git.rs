//! The history of a mirror as a git repository, by the program `git`.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::folder::{MirrorFolder, STATE};
use super::outcome::MirrorCommit;

/// Variables that would lead git to another repository, as in a hook of one.
const OF_ANOTHER_REPOSITORY: [&str; 3] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];
/// Reads the paths of a command from its standard input.
const PATHS: [&str; 2] = ["--pathspec-from-file=-", "--pathspec-file-nul"];

/// Commits the files of a mirror and nothing else that is in its folder or staged there; the folder becomes a repository
/// if it is none. Blocks until git has ended, so that no lock of git is left behind.
///
/// Fails only if the manifest cannot be saved.
pub(super) fn commit(mirror: &mut MirrorFolder, message: &str) -> io::Result<MirrorCommit> {
    let done = match commit_or_fail(mirror, message) {
        Ok(commit) => commit,
        Err(error) if error.kind() == io::ErrorKind::NotFound => MirrorCommit::Missing,
        Err(error) => MirrorCommit::Failed { message: error.to_string() },
    };
    let is_recorded = matches!(done, MirrorCommit::Committed | MirrorCommit::Unchanged);
    if is_recorded && !mirror.state.removed.is_empty() {
        mirror.state.removed.clear();
        mirror.save()?;
    }
    Ok(done)
}

fn commit_or_fail(mirror: &MirrorFolder, message: &str) -> io::Result<MirrorCommit> {
    let folder = mirror.path.as_path();
    if !folder.join(".git").exists() {
        git(folder, &["init", "--quiet"], &[])?;
        let information = folder.join(".git").join("info");
        std::fs::create_dir_all(&information)?;
        std::fs::write(information.join("exclude"), format!("{STATE}\n"))?;
    }
    let files: Vec<&str> = mirror.state.files.keys().map(String::as_str).collect();
    if !files.is_empty() {
        git(folder, &[&["add"][..], &PATHS].concat(), &files)?;
    }
    let has_commits = git(folder, &["rev-parse", "--verify", "--quiet", "HEAD"], &[]).is_ok();
    let changed = match has_commits {
        true => git(folder, &["diff", "--name-only", "--relative", "--no-renames", "-z", "HEAD"], &[])?,
        false => git(folder, &["ls-files", "-z"], &[])?,
    };
    let is_own = |path: &&str| mirror.state.files.contains_key(*path) || mirror.state.removed.contains(*path);
    let changed: Vec<&str> = changed.split('\0').filter(is_own).collect();
    if changed.is_empty() {
        return Ok(MirrorCommit::Unchanged);
    }
    // The author's own name, if git knows it.
    let has_name = git(folder, &["config", "user.email"], &[]).is_ok();
    let name: &[&str] = if has_name { &[] } else { &["-c", "user.name=Qingyu", "-c", "user.email=qingyu@localhost"] };
    let commit = ["-c", "commit.gpgsign=false", "commit", "--quiet", "--only", "--message", message];
    git(folder, &[name, &commit, &PATHS].concat(), &changed)?;
    Ok(MirrorCommit::Committed)
}

/// Runs `git` in `folder`, with paths on its standard input, and returns its output; its message as an error if it fails.
fn git(folder: &Path, arguments: &[&str], paths: &[&str]) -> io::Result<String> {
    let mut command = Command::new("git");
    for variable in OF_ANOTHER_REPOSITORY {
        command.env_remove(variable);
    }
    command.current_dir(folder).arg("--literal-pathspecs").args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // If git has ended before it has read them, its message says why.
        let _ = input.write_all(paths.join("\0").as_bytes());
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(io::Error::other(if message.is_empty() { output.status.to_string() } else { message }))
}

#[cfg(test)]
mod tests {
    use qingyu_formats::MirrorFile;

    use super::*;

    fn file(path: &str, content: &str) -> MirrorFile {
        MirrorFile { path: path.to_owned(), content: content.to_owned(), source: None }
    }

    fn lines(folder: &Path, arguments: &[&str]) -> Vec<String> {
        git(folder, arguments, &[]).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn each_change_is_a_commit() {
        let home = tempfile::tempdir().unwrap();
        let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
        mirror.update(&[file("1.md", "一"), file("a/2 [x].md", "二")], 1).unwrap();
        let first = commit(&mut mirror, "雨夜: 1").unwrap();
        if first == MirrorCommit::Missing {
            return;
        }
        assert_eq!(first, MirrorCommit::Committed);
        assert_eq!(commit(&mut mirror, "雨夜: 1").unwrap(), MirrorCommit::Unchanged);
        mirror.update(&[file("1.md", "一新")], 2).unwrap();
        assert_eq!(commit(&mut mirror, "雨夜: 2").unwrap(), MirrorCommit::Committed);
        assert!(mirror.state.removed.is_empty());
        assert_eq!(lines(home.path(), &["log", "--format=%s"]), ["雨夜: 2", "雨夜: 1"]);
        assert_eq!(lines(home.path(), &["ls-files"]), ["1.md"], "the manifest is no part of the book");
    }

    #[test]
    fn the_authors_other_work_is_not_committed() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        if git(folder, &["init", "--quiet"], &[]).is_err() {
            return;
        }
        std::fs::write(folder.join("staged.txt"), "s").unwrap();
        std::fs::write(folder.join("new.txt"), "n").unwrap();
        git(folder, &["add", "staged.txt"], &[]).unwrap();
        let mut mirror = MirrorFolder::open(folder, "p-1").unwrap().unwrap();
        mirror.update(&[file("1.md", "一")], 1).unwrap();
        assert_eq!(commit(&mut mirror, "雨夜: 1").unwrap(), MirrorCommit::Committed);
        assert_eq!(lines(folder, &["ls-tree", "-r", "--name-only", "HEAD"]), ["1.md"]);
        let status = lines(folder, &["status", "--porcelain"]);
        assert_eq!(status, ["A  staged.txt", "?? .qingyu-mirror.json", "?? new.txt"]);
        assert_eq!(commit(&mut mirror, "雨夜: 1").unwrap(), MirrorCommit::Unchanged);
    }
}
