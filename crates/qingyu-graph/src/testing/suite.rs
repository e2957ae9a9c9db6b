//! The suite that every [`Store`] runs. A failure is a panic, as in any test.

mod journal;
mod leases;
mod scopes;
mod upkeep;

use std::sync::Arc;
use std::time::Duration;

use crate::store::{Lease, Owner, Record, RecordKind, Store};

const LONG: Duration = Duration::from_secs(3600);

/// Checks everything that [`Store`] promises and that one process can see. `make` gives an empty store each time.
pub async fn store_suite(make: impl AsyncFn() -> Arc<dyn Store>) {
    journal::an_unknown_thread_is_empty(make().await).await;
    journal::records_come_back_as_they_were(make().await).await;
    journal::only_the_newest_part_is_read(make().await).await;
    journal::every_branch_can_be_read(make().await).await;
    journal::records_are_listed_in_pages(make().await).await;
    journal::threads_do_not_mix(make().await).await;
    journal::threads_are_listed_by_name(make().await).await;
    journal::a_foreign_joined_write_is_refused_whole(make().await).await;
    scopes::scopes_do_not_mix(make().await).await;
    leases::a_lease_excludes_others(make().await).await;
    leases::an_expired_lease_is_taken_over_and_fenced(make().await).await;
    leases::the_holder_of_a_lease_is_known(make().await).await;
    leases::a_released_lease_cannot_write(make().await).await;
    leases::of_many_who_come_at_once_one_wins(make().await).await;
    upkeep::what_is_pruned_is_gone_and_the_rest_stays_in_its_place(make().await).await;
    upkeep::a_thread_pruned_to_nothing_is_unknown_and_goes_on(make().await).await;
    upkeep::a_deleted_thread_starts_anew(make().await).await;
    upkeep::only_who_holds_the_lease_may_prune_and_delete(make().await).await;
}

async fn acquire(store: &Arc<dyn Store>, thread: &str, duration: Duration) -> Lease {
    store.acquire(&thread.into(), &Owner::this_process(), duration).await.expect("nobody holds it")
}

async fn append(store: &Arc<dyn Store>, lease: &Lease, records: Vec<Record>) -> u64 {
    store.append(lease, records, Vec::new()).await.expect("it can be written")
}

/// A record of the graph itself.
fn record(kind: RecordKind, parent: u64, body: &str) -> Record {
    scoped("", kind, parent, body)
}

fn scoped(scope: &str, kind: RecordKind, parent: u64, body: &str) -> Record {
    Record {
        scope: scope.to_owned(),
        branch: 0,
        parent,
        kind,
        task: String::new(),
        key: String::new(),
        body: body.to_owned(),
    }
}

fn bodies(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.body.as_str()).collect()
}

/// Where the records of the thread stand.
async fn positions(store: &Arc<dyn Store>, lease: &Lease) -> Vec<u64> {
    let records = store.records(&lease.thread, 0, usize::MAX).await.expect("they can be read");
    records.into_iter().map(|(position, _)| position).collect()
}
