//! Those who follow a run: cut off at any byte and coming again, at another server, or never reading at all.

use std::time::Duration;

use futures::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::answers::REQUIREMENT;
use crate::house::{House, ReceivedEvent, home, told};

/// Numbers that look like chance and come again each time.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }
}

/// Follows a run as a browser does, at any of `houses`, and is cut off again and again after a number of bytes below `most`. Gives
/// the events of the log, in the order in which they came, and how often it was cut off.
async fn follow_with_cuts(
    houses: &[&House],
    run: &str,
    most: usize,
    moments: &mut Moments,
) -> (Vec<ReceivedEvent>, usize) {
    let (mut events, mut cuts) = (Vec::<ReceivedEvent>::new(), 0);
    loop {
        let house = houses[moments.next(houses.len())];
        let mut request = house.get(&format!("/api/v1/runs/{run}/events"));
        if let Some(last) = events.last() {
            request = request.header("last-event-id", last.id.unwrap().to_string());
        }
        let mut stream = request.send().await.unwrap().bytes_stream();
        // A reader that gets nowhere for ever would prove nothing: what is allowed grows.
        let allowed = moments.next(most) + cuts * 200;
        let mut bytes = Vec::new();
        while bytes.len() < allowed {
            match stream.next().await {
                Some(piece) => bytes.extend_from_slice(&piece.unwrap()),
                None => break,
            }
        }
        drop(stream);
        bytes.truncate(allowed);
        // What a browser has not seen the end of, it has not seen.
        let end = bytes.windows(2).rposition(|pair| pair == b"\n\n").map_or(0, |place| place + 2);
        let seen = told(std::str::from_utf8(&bytes[..end]).unwrap());
        let has_ended = seen.iter().any(|event| event.name.as_deref() == Some("end"));
        events.extend(seen.into_iter().filter(|event| event.id.is_some()));
        if has_ended {
            return (events, cuts);
        }
        cuts += 1;
        assert!(cuts < 2_000, "it never comes to the end");
    }
}

/// The run's log, page by page.
async fn log(house: &House, run: &str) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    loop {
        let after = all.last().map_or(0, |event| event["seq"].as_u64().unwrap());
        let path = format!("/api/v1/runs/{run}/log?after={after}");
        let page: Vec<Value> = house.get(&path).send().await.unwrap().json().await.unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_is_cut_off_at_any_byte_gets_each_event_once_and_in_order_from_any_server() {
    let home = home();
    let (one, other) = (House::open(&home).await, House::open(&home).await);
    let houses = [&one, &other];
    let mut cuts = 0;
    for (seed, most) in [(1, 200), (2, 2_000), (3, 20_000)] {
        let run = one.begin(REQUIREMENT).await;
        let (mut live, mut late) = (Moments(seed), Moments(seed + 100));
        let (events, cut) = follow_with_cuts(&houses, &run, most, &mut live).await;
        let kept = log(&other, &run).await;
        let (again, cut_again) = follow_with_cuts(&houses, &run, most, &mut late).await;
        for events in [events, again] {
            let numbers: Vec<_> = events.iter().map(|event| event.id.unwrap()).collect();
            assert_eq!(numbers, (1..=kept.len() as u64).collect::<Vec<_>>(), "seed {seed}");
            assert!(events.iter().map(|event| &event.data).eq(&kept), "seed {seed}: each as it is in the log");
        }
        cuts += cut + cut_again;
    }
    assert!(cuts > 50, "only {cuts} cuts");
    one.go().await;
    other.go().await;
}

/// Asks for the events of a run and does not read.
async fn deaf(house: &House, run: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    // So that the server cannot leave everything with the system and go.
    socket.set_recv_buffer_size(1_024).unwrap();
    let mut stream = socket.connect(([127, 0, 0, 1], house.address.port()).into()).await.unwrap();
    let port = house.address.port();
    let ask = format!("GET /api/v1/runs/{run}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_never_read_hold_nobody_up() {
    let home = home();
    let house = House::open(&home).await;
    let run = house.begin(REQUIREMENT).await;
    let mut deaf_ones = Vec::new();
    for _ in 0..50 {
        deaf_ones.push(deaf(&house, &run).await);
    }
    let told = tokio::time::timeout(Duration::from_secs(60), house.follow(&run, 0)).await.expect("it comes to its end");
    let numbers: Vec<_> = told.iter().filter_map(|event| event.id).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let outcome: Value = house.get(&format!("/api/v1/runs/{run}")).send().await.unwrap().json().await.unwrap();
    assert_ne!(outcome["status"], json!("running"));

    // One of them listens at last, and has missed nothing that is kept.
    let mut late = String::new();
    let reading = tokio::time::timeout(Duration::from_secs(30), deaf_ones[0].read_to_string(&mut late));
    reading.await.expect("it is sent").unwrap();
    let ids: Vec<u64> =
        late.lines().filter_map(|line| line.strip_prefix("id: ")).map(|id| id.parse().unwrap()).collect();
    assert_eq!(ids, numbers);
    // And a server that goes does not wait for the others.
    let going = tokio::time::timeout(Duration::from_secs(20), house.go());
    going.await.expect("it goes within its grace");
    drop(deaf_ones);
}
