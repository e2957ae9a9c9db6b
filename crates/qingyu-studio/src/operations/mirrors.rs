//! Readable mirrors of projects. No request names a folder: each mirror is below the folder of the settings.

use crate::mirrors::{MirrorRun, MirrorStatus};
use crate::operations::operation::operations;

operations! {
    /// Returns the state of a project's mirror: the last update, the edits last read back, and the files changed since.
    Read Get "/projects/{project}/mirror"
    ReadMirror as "read_mirror" {
        /// The project.
        project: String,
    } -> MirrorStatus
        = |studio, it| studio.mirror_status(&it.project).await;

    /// Switches a project's mirror, or its git commits, on or off. The folder is that of the settings; switching commits
    /// on is restricted to the local user of the server's machine.
    Admin Put "/projects/{project}/mirror"
    SetMirror as "set_mirror" {
        /// The project.
        project: String,
        /// Whether the mirror is kept up to date; unchanged by default.
        #[serde(default)]
        on: Option<bool>,
        /// Whether each update is committed; unchanged by default.
        #[serde(default)]
        git: Option<bool>,
    } -> MirrorStatus
        = |studio, it| studio.set_mirror(&it.project, it.on, it.git).await;

    /// Updates a project's mirror at once, if wanted after reading back the chapters and cards edited in it.
    Write Post "/projects/{project}/mirror"
    RunMirror as "run_mirror" {
        /// The project.
        project: String,
        /// Whether edits are read back first.
        #[serde(default)]
        read: bool,
    } -> MirrorRun
        = |studio, it| studio.run_mirror(&it.project, it.read).await;
}
