//! Runs of the whole pipeline: a real finding, a correction caused by the material, a passed review.

use crate::bench::{REQUIREMENTS, run};

#[tokio::test]
async fn the_material_itself_causes_findings_and_is_corrected() {
    for requirement in REQUIREMENTS {
        let (state, reports) = run(requirement).await;
        let (first, last) = (&reports[0], &reports[reports.len() - 1]);
        assert!((50..80).contains(&first.quality_score), "{requirement}: {:?}", state.scores);
        let undefined = first.issues.iter().filter(|issue| issue.code.as_deref() == Some("QY101")).count();
        assert!((2..=4).contains(&undefined), "{requirement}: {:#?}", first.issues);
        assert!(state.review_passed && last.quality_score >= 80, "{requirement}: {:#?}", last.issues);
        assert!((1..=2).contains(&state.iteration_count), "{requirement}: {:?}", state.scores);
        assert_eq!(state.warnings, [""; 0], "{requirement}");
    }
}
