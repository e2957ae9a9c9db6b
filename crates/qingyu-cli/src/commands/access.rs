//! The commands `qingyu users`, `keys`, `audit` and `backup`.

use qingyu_studio::{ExistingDatabase, KeyRequest, KeyUsageLimits, Settings, Studio, UserRequest, UserRole};

use crate::args::{AuditCommand, BackupCommand, KeysCommand, MakeKey, UsersCommand};
use crate::error::{Error, Exit};
use crate::render::access as draw;
use crate::screen::Screen;

pub(super) async fn users(studio: &Studio, screen: &Screen, command: UsersCommand) -> Result<Exit, Error> {
    let access = studio.access();
    let row = match command {
        UsersCommand::List => {
            let rows = access.users().await?;
            return screen.show(&rows, |page| draw::users(page, &rows)).map(|()| Exit::Done);
        }
        UsersCommand::Add(arguments) => {
            let role = if arguments.admin { UserRole::Admin } else { UserRole::Member };
            access.add_user(UserRequest { user: arguments.user, name: arguments.name, role }).await?
        }
        UsersCommand::Disable(named) => access.disable_user(&named.user).await?,
        UsersCommand::Enable(named) => access.enable_user(&named.user).await?,
    };
    screen.show(&row, |page| draw::users(page, std::slice::from_ref(&row))).map(|()| Exit::Done)
}

pub(super) async fn keys(studio: &Studio, screen: &Screen, command: KeysCommand) -> Result<Exit, Error> {
    let access = studio.access();
    match command {
        KeysCommand::List(arguments) => {
            let rows = access.keys(arguments.user.as_deref()).await?;
            screen.show(&rows, |page| draw::keys(page, &rows))?;
        }
        KeysCommand::Make(arguments) => {
            let made = access.make_key(request(arguments)).await?;
            screen.show(&made, |page| draw::made(page, &made))?;
        }
        KeysCommand::Revoke(arguments) => {
            let row = access.revoke_key(&arguments.key).await?;
            screen.show(&row, |page| draw::revoked(page, &row))?;
        }
    }
    Ok(Exit::Done)
}

fn request(arguments: MakeKey) -> KeyRequest {
    let MakeKey { user, name, right, project, expires, .. } = arguments;
    let limits = KeyUsageLimits {
        requests_per_minute: arguments.requests_per_minute,
        parallel_runs: arguments.parallel_runs,
        tokens_per_day: arguments.tokens_per_day,
        money_per_day: arguments.money_per_day,
    };
    KeyRequest { user, name, right: right.into(), projects: project, expires, limits }
}

pub(super) async fn audit(studio: &Studio, screen: &Screen, command: AuditCommand) -> Result<Exit, Error> {
    let access = studio.access();
    match command {
        AuditCommand::List(arguments) => {
            let rows = access.audit(arguments.before, arguments.most).await?;
            screen.show(&rows, |page| draw::audit(page, &rows)).map(|()| Exit::Done)
        }
        AuditCommand::Verify => {
            let state = access.verify_audit().await?;
            screen.show(&state, |page| draw::audit_state(page, &state))?;
            Ok(if state.broken_at.is_some() { Exit::Findings } else { Exit::Done })
        }
    }
}

/// Restores a backup without opening the studio, since opening would first create a new database.
pub(super) async fn backup(settings: Settings, screen: &Screen, command: BackupCommand) -> Result<Exit, Error> {
    match command {
        BackupCommand::List => {
            let status = Studio::scheduled_backups(&settings)?;
            screen.show(&status, |page| draw::scheduled_backups(page, &status))?;
        }
        BackupCommand::Make(arguments) => {
            let made = Studio::open(settings).await?.backup(&arguments.file).await?;
            screen.show(&made, |page| draw::backed_up(page, &made))?;
        }
        BackupCommand::Restore(arguments) => {
            let existing = if arguments.replace { ExistingDatabase::IsReplaced } else { ExistingDatabase::Stays };
            let restored = Studio::restore_backup(&settings, &arguments.file, existing).await?;
            screen.show(&restored, |page| draw::restored(page, &restored))?;
        }
    }
    Ok(Exit::Done)
}
