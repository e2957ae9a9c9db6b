//! Threads of LangGraph clients: whose they are, and what is refused.

use qingyu_studio::Right;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::house::{House, home, told};
use crate::web::web;

const OWN: &str = "0192e4a0-0000-7000-8000-000000000001";

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    let text = answer.text().await.unwrap();
    (status, if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() })
}

#[tokio::test]
async fn a_clients_id_names_its_thread_and_no_other_users() {
    let home = home();
    let house = House::open(&home).await;
    let (anna, ben) = (house.key("anna", Right::Write).await, house.key("ben", Right::Write).await);
    let new = json!({"thread_id": OWN, "metadata": {"title": "灯塔", "user": "a"}});
    let create = |key: &str| house.post("/langgraph/threads", &new).bearer_auth(key);
    let (status, made) = answer(create(&anna)).await;
    assert_eq!((status, &made["thread_id"], &made["metadata"]["title"]), (200, &json!(OWN), &json!("灯塔")), "{made}");
    assert_eq!(answer(create(&anna)).await.0, 409);
    let place = format!("/langgraph/threads/{OWN}");
    assert_eq!(answer(house.get(&place).bearer_auth(&ben)).await.0, 404);
    assert_eq!(answer(create(&ben)).await.0, 200, "an id of one user is free for another");

    let order =
        json!({"assistant_id": "task", "input": {"task": {"description": "检查时间线"}}, "metadata": {"batch": 7}});
    let waited = house.post(&format!("{place}/runs/wait"), &order).bearer_auth(&anna).send().await.unwrap();
    let run_place = waited.headers()["content-location"].to_str().unwrap().to_owned();
    assert!(run_place.starts_with(&place), "{run_place}");
    let (_, run) = answer(house.get(&run_place).bearer_auth(&anna)).await;
    assert_eq!((&run["thread_id"], &run["metadata"]["batch"]), (&json!(OWN), &json!(7)), "{run}");
    let (_, state) = answer(house.get(&format!("{place}/state")).bearer_auth(&anna)).await;
    assert_eq!(
        (&state["checkpoint"]["thread_id"], &state["checkpoint"]["checkpoint_id"]),
        (&json!(OWN), &run["run_id"])
    );
    let project = state["values"]["project"].as_str().unwrap().to_owned();
    let (_, same) = answer(house.get(&format!("/langgraph/threads/{project}")).bearer_auth(&anna)).await;
    assert_eq!(same["thread_id"], OWN, "it is the same thread under the id of its project");

    // The next run begins with the newest state, and with no other.
    for (id, expected) in [(run["run_id"].clone(), 200), (json!("not-there"), 422)] {
        let mut order = order.clone();
        order["checkpoint_id"] = id.clone();
        let (status, body) = answer(house.post(&format!("{place}/runs"), &order).bearer_auth(&anna)).await;
        assert_eq!(status, expected, "{id}: {body}");
        if status == 200 {
            let join = format!("{place}/runs/{}/join", body["run_id"].as_str().unwrap());
            assert_eq!(answer(house.get(&join).bearer_auth(&anna)).await.0, 200);
        }
    }

    let deleted = web().request(Method::DELETE, house.url(&place)).bearer_auth(&anna);
    assert_eq!(answer(deleted).await.0, 204);
    assert_eq!(answer(house.get(&place).bearer_auth(&anna)).await.0, 404);
    let binned = house.get("/api/v1/projects?status=binned").bearer_auth(&anna);
    assert_eq!(answer(binned).await.1[0]["project"], project);
    house.go().await;
}

#[tokio::test]
async fn a_run_stops_at_the_nodes_of_its_request_and_goes_on() {
    let home = home();
    let house = House::open(&home).await;
    let (_, made) = answer(house.post("/langgraph/threads", &json!({}))).await;
    let place = format!("/langgraph/threads/{}", made["thread_id"].as_str().unwrap());
    let run = |more: Value| {
        let mut order = json!({"assistant_id": "create"});
        order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        answer(house.post(&format!("{place}/runs/wait"), &order))
    };
    let said = json!({"requirement": "一个灯塔看守人"});
    for nodes in [json!(["dragon"]), json!("planner_agent"), json!([7])] {
        let (status, refused) = run(json!({"input": said, "interrupt_before": nodes})).await;
        assert!(status == 422 && refused["detail"].as_str().unwrap().contains("`interrupt_before`"), "{refused}");
    }
    let (status, refused) = run(json!({"input": said, "interrupt_after": ["dragon"]})).await;
    assert!(status == 422 && refused["detail"].as_str().unwrap().contains("planner_agent"), "{refused}");
    assert_eq!(answer(house.get(&format!("{place}/runs"))).await.1, json!([]), "nothing was begun");

    let stops = json!({"input": said, "interrupt_before": ["review_agent"], "interrupt_after": ["planner_agent"]});
    let (_, stopped) = run(stops).await;
    assert_eq!(stopped["breakpoint"]["after"], json!(["planner_agent"]), "{stopped}");
    assert_eq!(stopped["__interrupt__"], json!([]), "a breakpoint asks nothing");
    let (_, state) = answer(house.get(&format!("{place}/state"))).await;
    assert_eq!((&state["next"], &state["interrupts"]), (&json!(["dispatch"]), &json!([])), "{state}");
    let task = &state["tasks"][0];
    assert_eq!((&task["name"], &task["interrupts"]), (&json!("dispatch"), &json!([])));
    let (_, thread) = answer(house.get(&place)).await;
    assert_eq!((&thread["status"], &thread["interrupts"]), (&json!("interrupted"), &json!({})));

    let (status, refused) = run(json!({"command": {"resume": "换一个"}})).await;
    assert!(status == 422 && refused["detail"].as_str().unwrap().contains("`command.resume`"), "{refused}");
    let (_, again) = run(json!({"input": null, "interrupt_before": ["review_agent"]})).await;
    assert_eq!((&again["run"], &again["breakpoint"]["before"]), (&stopped["run"], &json!(["review_agent"])), "{again}");
    let (_, ended) = run(json!({"command": {"resume": true}})).await;
    assert_eq!(ended["run"], stopped["run"]);
    assert!(ended.get("breakpoint").is_none(), "a request without nodes stops at none: {ended}");

    let all =
        json!({"assistant_id": "task", "input": {"task": {"description": "检查时间线"}}, "interrupt_before": "*"});
    let (_, stopped) = answer(house.post("/langgraph/runs/wait", &all)).await;
    assert_eq!(stopped["breakpoint"]["before"], stopped["breakpoint"]["next"], "{stopped}");
    house.go().await;
}

#[tokio::test]
async fn a_state_is_edited_and_its_run_goes_on() {
    let home = home();
    let house = House::open(&home).await;
    let (_, made) = answer(house.post("/langgraph/threads", &json!({}))).await;
    let place = format!("/langgraph/threads/{}", made["thread_id"].as_str().unwrap());
    let edit = |body: Value| answer(house.post(&format!("{place}/state"), &body));
    let (status, refused) = edit(json!({"values": {"max_iterations": 0}})).await;
    assert!(status == 422 && refused["detail"].as_str().unwrap().contains("start a run"), "{refused}");

    let order = json!({"assistant_id": "create", "input": {"requirement": "一个灯塔看守人"}, "interrupt_before": ["review_agent"]});
    let (_, stopped) = answer(house.post(&format!("{place}/runs/wait"), &order)).await;
    for (body, part) in [
        (json!({"values": {"dragon": 1}}), "max_iterations"),
        (json!({"values": {"run_id": "r-1"}}), "max_iterations"),
        (json!({"values": {"max_iterations": "many"}}), "max_iterations"),
        (json!({"values": {}}), "values"),
        (json!({"values": [{"max_iterations": 0}]}), "`values`"),
        (json!({"values": {"max_iterations": 0}, "as_node": "dragon"}), "planner_agent"),
        (json!({"values": {"max_iterations": 0}, "checkpoint_id": "r-none"}), "`checkpoint_id`"),
        (json!({"values": {"max_iterations": 0}, "checkpoint": {"checkpoint_id": "r-none"}}), "`checkpoint_id`"),
        (json!({"values": {"max_iterations": 0}, "unheard_of": 1}), "`unheard_of`"),
    ] {
        let (status, refused) = edit(body.clone()).await;
        assert_eq!(status, 422, "{body}: {refused}");
        assert!(refused["detail"].as_str().unwrap().contains(part), "{body}: {refused}");
    }
    let (status, edited) = edit(json!({"values": {"max_iterations": 0}})).await;
    assert_eq!((status, &edited["checkpoint"]["checkpoint_id"]), (200, &stopped["run"]), "{edited}");
    let (_, state) = answer(house.get(&format!("{place}/state"))).await;
    assert_eq!((&state["next"], &state["tasks"][0]["interrupts"]), (&json!(["review_agent"]), &json!([])), "{state}");
    let (_, ended) = answer(house.post(&format!("{place}/runs/wait"), &json!({"assistant_id": "create"}))).await;
    assert_eq!((&ended["run"], &ended["iteration_count"]), (&stopped["run"], &json!(0)), "{ended}");

    // The work of a finished node is done again in a fork, which is the newest run of the thread.
    let (status, forked) = edit(json!({"values": {"character_summary": "没有人"}, "as_node": "planner_agent"})).await;
    assert_eq!(status, 200, "{forked}");
    let fork = &forked["checkpoint"]["checkpoint_id"];
    assert_ne!(fork, &stopped["run"], "{forked}");
    assert_eq!(&answer(house.get(&format!("{place}/runs"))).await.1[0]["run_id"], fork);
    let patched =
        web().request(Method::PATCH, house.url(&format!("{place}/state"))).json(&json!({"metadata": {"a": 1}}));
    assert_eq!(answer(patched).await.0, 422);
    house.go().await;
}

#[tokio::test]
async fn no_field_of_a_thread_or_a_search_passes_silently() {
    let home = home();
    let house = House::open(&home).await;
    for (path, body, field) in [
        ("/threads", json!({"thread_id": "x"}), "thread_id"),
        ("/threads", json!({"ttl": {"ttl": 5}}), "ttl"),
        ("/threads", json!({"supersteps": [{"updates": []}]}), "supersteps"),
        ("/threads", json!({"if_exists": "perhaps"}), "if_exists"),
        ("/threads", json!({"metadata": {"language": "fr"}}), "metadata.language"),
        ("/threads", json!({"unheard_of": 1}), "unheard_of"),
        ("/threads/search", json!({"values": {"a": 1}}), "values"),
        ("/threads/search", json!({"sort_by": "title"}), "sort_by"),
        ("/threads/search", json!({"limit": 1_000_000}), "limit"),
        ("/threads/search", json!({"select": ["thread_id", "secret"]}), "select"),
        ("/threads/search", json!({"extract": {"a": "b"}}), "extract"),
        ("/threads/count", json!({"ids": [1]}), "ids"),
        ("/threads/prune", json!({"thread_ids": [], "strategy": "keep_latest"}), "strategy"),
        ("/assistants/search", json!({"unheard_of": 1}), "unheard_of"),
        ("/runs", json!({"assistant_id": "create", "on_disconnect": "cancel"}), "on_disconnect"),
        ("/runs?namespace=a", json!({"assistant_id": "create", "input": {"requirement": "灯"}}), "namespace"),
    ] {
        let (status, told) = answer(house.post(&format!("/langgraph{path}"), &body)).await;
        assert_eq!(status, 422, "{path} {body}: {told}");
        assert!(told["detail"].as_str().unwrap().contains(&format!("`{field}`")), "{path} {body}: {told}");
    }
    let (_, none) = answer(house.post("/langgraph/threads/count", &json!({"status": "idle"}))).await;
    assert_eq!(none, 0, "nothing was made");
    house.go().await;
}

#[tokio::test]
async fn assistants_are_looked_at_and_not_made() {
    let home = home();
    let house = House::open(&home).await;
    let get = |path: &str| answer(house.get(&format!("/langgraph/assistants{path}")));
    let post = |path: &str, body: Value| answer(house.post(&format!("/langgraph/assistants{path}"), &body));
    assert_eq!(post("/count", json!({"graph_id": "write"})).await, (200, json!(1)));
    assert_eq!(post("/create/versions", json!({})).await.1[0]["assistant_id"], "create");
    assert_eq!(get("/create/subgraphs").await, (200, json!({})));
    assert_eq!(get("/create/subgraphs/outline?recurse=true").await, (200, json!({})));
    let (status, graph) = get("/create/graph?xray=true").await;
    let nodes: Vec<&str> = graph["nodes"].as_array().unwrap().iter().filter_map(|node| node["id"].as_str()).collect();
    assert!(status == 200 && nodes.contains(&"planner_agent") && nodes.ends_with(&["__end__"]), "{graph}");
    let ends = |edge: &Value| ["source", "target"].iter().all(|end| nodes.contains(&edge[end].as_str().unwrap()));
    assert!(graph["edges"].as_array().unwrap().iter().all(ends), "{graph}");
    for (path, body) in [("", json!({"graph_id": "create"})), ("/create/latest", json!({"version": 2}))] {
        assert_eq!(post(path, body).await.0, 422, "{path}");
    }
    assert_eq!(get("/nobody/subgraphs").await.0, 404);
    house.go().await;
}

#[tokio::test]
async fn what_is_not_there_says_why() {
    let home = home();
    let house = House::open(&home).await;
    for (path, reason) in [
        ("/runs/batch", "one by one"),
        ("/runs/cancel", "one by one"),
        ("/runs/crons", "schedule"),
        ("/runs/crons/search", "schedule"),
        ("/threads/t/runs/crons", "schedule"),
        ("/threads/t/stream", "runs.join_stream"),
        ("/store/items/search", "store"),
        ("/store/namespaces", "store"),
    ] {
        let (status, told) = answer(house.post(&format!("/langgraph{path}"), &json!({}))).await;
        assert_eq!(status, 404, "{path}: {told}");
        assert!(told["detail"].as_str().unwrap().contains(reason), "{path}: {told}");
    }
    house.go().await;
}

#[tokio::test]
async fn a_stream_is_rejoined_in_any_modes() {
    let home = home();
    let house = House::open(&home).await;
    let order = json!({"assistant_id": "create", "input": {"requirement": "一个灯塔看守人"}});
    let waited = house.post("/langgraph/runs/wait", &order).send().await.unwrap();
    let place = waited.headers()["content-location"].to_str().unwrap().to_owned();
    assert_eq!(answer(house.get(&place)).await.1["assistant_id"], "create");
    for (query, expected) in [
        ("", vec!["values", "updates", "custom"]),
        ("?stream_mode=&cancel_on_disconnect=false", vec!["values", "updates", "custom"]),
        ("?stream_mode=values&stream_mode=updates", vec!["values", "updates"]),
        ("?stream_mode=tasks,checkpoints&cancel_on_disconnect=0", vec!["tasks", "checkpoints"]),
        ("?stream_mode=debug", vec!["debug"]),
        ("?stream_mode=events", vec!["events"]),
    ] {
        let stream = house.get(&format!("{place}/stream{query}")).send().await.unwrap();
        assert_eq!(stream.status(), 200, "{query}");
        let frames = told(&stream.text().await.unwrap());
        let names: Vec<&str> = frames.iter().filter_map(|frame| frame.name.as_deref()).collect();
        assert_eq!((names.first(), names.last()), (Some(&"metadata"), Some(&"end")), "{query}");
        assert!(expected.iter().all(|name| names.contains(name)), "{query}: {names:?}");
        let all = |name: &&str| ["metadata", "end", "messages"].contains(name) || expected.contains(name);
        assert!(names.iter().all(all), "{query}: {names:?}");
    }
    let late = house.get(&format!("{place}/stream?stream_mode=custom")).header("last-event-id", "3");
    let late = told(&late.send().await.unwrap().text().await.unwrap());
    assert_eq!(late.iter().find_map(|frame| frame.id), Some(4));
    let (status, refused) = answer(house.get(&format!("{place}/stream?stream_mode=values,tools"))).await;
    assert!(status == 422 && refused["detail"].as_str().unwrap().contains("`stream_mode`"), "{refused}");
    house.go().await;
}
