use super::appender::{APPEND, APPEND_ONE};
use crate::testing::TestSchema;

#[tokio::test]
async fn a_plan_made_on_an_empty_table_finds_threads_by_their_index() {
    for (statement, parameters) in [(APPEND, 13), (APPEND_ONE, 10)] {
        let Some(schema) = TestSchema::new().await else { return };
        drop(schema.store().await);
        let client = schema.postgres().await.client().await.unwrap();
        let prepare = format!("SET plan_cache_mode = force_generic_plan; PREPARE append AS {statement}");
        client.batch_execute(&prepare).await.unwrap();
        let arguments = vec!["NULL"; parameters].join(", ");
        let plan = client.query(&format!("EXPLAIN EXECUTE append({arguments})"), &[]).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
        assert!(plan.iter().any(|line| line.contains("Index Scan using graph_thread_id_key")), "{plan:#?}");
        assert!(!plan.iter().any(|line| line.contains("Seq Scan")), "{plan:#?}");
    }
}
