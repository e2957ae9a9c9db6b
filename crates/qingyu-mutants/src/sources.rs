//! The sources of a crate, with all their changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::argued::Argued;
use crate::compile::Refusal;
use crate::copy::Copy;
use crate::place;
use crate::weave::{Switched, Woven, weave};

/// The sources that are changed.
pub(crate) struct Sources {
    files: BTreeMap<PathBuf, Source>,
    /// `src/lib.rs` of the crate.
    pub(crate) library: PathBuf,
    /// Every change, whether it compiles or not, as people read it.
    pub(crate) names: BTreeMap<u32, String>,
    /// For each change that is argued for, and not made, the place of its argument.
    pub(crate) argued: Vec<usize>,
}

struct Source {
    text: String,
    places: Vec<Switched>,
    woven: Woven,
}

impl Sources {
    /// Reads them, and gives every change its number. Of all of the package, unless files or folders are named.
    ///
    /// # Errors
    /// If there is nothing to change, or a file cannot be read.
    pub(crate) fn of(root: &Path, package: &str, within: &[PathBuf]) -> Result<Self> {
        let home = Path::new("crates").join(package).join("src");
        ensure!(root.join(&home).is_dir(), "there is no {}: this runs in the root of the workspace", home.display());
        let argued = Argued::read()?;
        let mut sources =
            Self { files: BTreeMap::new(), library: home.join("lib.rs"), names: BTreeMap::new(), argued: Vec::new() };
        for path in rust_files(root, &home)? {
            let wanted = within.is_empty() || within.iter().any(|within| path.starts_with(within));
            // Tests beside what they test.
            let tests = path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs");
            if !wanted && path != sources.library {
                continue;
            }
            let text = fs::read_to_string(root.join(&path)).with_context(|| path.display().to_string())?;
            let mut places = Vec::new();
            if wanted && !tests {
                let found = place::places(&text).with_context(|| path.display().to_string())?;
                places.extend(found.into_iter().map(|mut place| {
                    place.changes.retain(|change| {
                        let argument = argued.place(&path, &change.name);
                        sources.argued.extend(argument);
                        argument.is_none()
                    });
                    let mutants = place.changes.iter().map(|change| {
                        let mutant = sources.names.last_key_value().map_or(1, |(last, _)| last + 1);
                        sources.names.insert(mutant, format!("{}:{}: {}", path.display(), place.line, change.name));
                        Some(mutant)
                    });
                    Switched { mutants: mutants.collect(), place }
                }));
            }
            sources.files.insert(path, Source { text, places, woven: Woven::default() });
        }
        ensure!(
            !sources.names.is_empty(),
            "nothing to change there: {}",
            within.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
        );
        Ok(sources)
    }

    /// All files that are written by this.
    pub(crate) fn paths(&self) -> BTreeSet<PathBuf> {
        self.files.keys().cloned().collect()
    }

    /// What has not been taken out.
    pub(crate) fn left(&self) -> BTreeSet<u32> {
        self.files
            .values()
            .flat_map(|source| &source.places)
            .flat_map(|switched| &switched.mutants)
            .flatten()
            .copied()
            .collect()
    }

    /// Writes the sources with all changes that are left.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn write(&mut self, copy: &Copy) -> Result<()> {
        for (path, source) in &mut self.files {
            source.woven = weave(&source.text, &source.places);
            let mut text = source.woven.text.clone();
            if *path == self.library {
                text.push_str("\n#[allow(warnings, clippy::all)]\nmod mutant_switch;\n");
            }
            copy.write(path, text.as_bytes())?;
        }
        Ok(())
    }

    /// Takes out what the compiler refuses.
    ///
    /// # Errors
    /// If that is none of the changes.
    pub(crate) fn take_out(&mut self, refusals: &[Refusal]) -> Result<()> {
        let before = self.left().len();
        for refusal in refusals {
            for (file, bytes) in &refusal.spans {
                let Some(source) = self.files.get_mut(file) else { continue };
                let blamed = source.woven.blamed(bytes);
                let mutants = source.places.iter_mut().flat_map(|switched| &mut switched.mutants);
                mutants
                    .filter(|mutant| mutant.is_some_and(|mutant| blamed.contains(&mutant)))
                    .for_each(|mutant| *mutant = None);
                if !blamed.is_empty() {
                    break;
                }
            }
        }
        if self.left().len() == before {
            let told: Vec<&str> = refusals.iter().map(|refusal| refusal.told.as_str()).take(3).collect();
            bail!("it does not compile, and no change is to blame:\n{}", told.join("\n"));
        }
        Ok(())
    }
}

/// Below a folder of the root, as seen from the root.
fn rust_files(root: &Path, folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(root.join(folder)).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            files.extend(rust_files(root, &path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path);
        }
    }
    Ok(files)
}
