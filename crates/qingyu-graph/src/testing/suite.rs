//! The test suite for every [`Store`]. A failure is a panic, as in any test.

mod journal;
mod leases;
mod records;
mod scopes;
mod upkeep;

use std::sync::Arc;

use crate::store::Store;

/// Checks all guarantees of [`Store`] observable by one process. `make` returns an empty store each time.
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
