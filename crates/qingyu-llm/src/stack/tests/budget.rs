use futures::StreamExt;
use futures::future::join_all;

use super::*;
use crate::Attribution;
use crate::price::{Cost, Prices};
use crate::stack::{
    Bookkeeper, BudgetLedger, BudgetedModel, Charge, DailyBudget, FreeModels, ModelSpending, Scope, SpendingBudget,
    SpendingSource,
};

/// Two CNY per million in, three out.
const PRICED: &str = "somebody/writer";

fn prices() -> Prices {
    let own = "\"somebody/writer\" = { currency = \"CNY\", input = 2.0, output = 3.0 }".parse().unwrap();
    Prices::with_overrides(&own).unwrap()
}

fn cny(micros: u64) -> Cost {
    Cost { micros, currency: "CNY".into() }
}

fn ledger(tokens: Option<u64>, money: Option<Cost>) -> Arc<BudgetLedger> {
    Arc::new(BudgetLedger::new(SpendingBudget { tokens, money }, prices()))
}

fn budgeted(model: &ScriptedModel, ledger: &Arc<BudgetLedger>) -> BudgetedModel {
    BudgetedModel::new(Arc::new(model.clone()), Arc::clone(ledger))
}

fn refused(result: Result<Reply, Error>) -> String {
    match result {
        Err(Error::Budget { message, .. }) => message,
        other => panic!("{other:?}"),
    }
}

fn short() -> ChatRequest {
    ChatRequest { max_tokens: Some(94), ..request() }
}

async fn call_short(model: &BudgetedModel) -> Result<Reply, Error> {
    drain(model.stream(&short()).await?).await
}

#[tokio::test]
async fn what_was_reported_is_counted_and_priced() {
    let model = scripted(PRICED, [answer("雪", 100, 50), answer("夜", 10, 5)]);
    let ledger = ledger(None, None);
    let budgeted = budgeted(&model, &ledger);
    call(&budgeted).await.unwrap();
    call(&budgeted).await.unwrap();
    let spent = ledger.spent();
    assert_eq!(spent.usage, Usage { input: 110, output: 55, ..Usage::default() });
    assert_eq!((spent.calls, spent.unpriced), (2, 0));
    assert_eq!(spent.micros["CNY"], 110 * 2 + 55 * 3);
}

#[tokio::test]
async fn tokens_stop_before_the_call_that_would_go_over() {
    let model = scripted(PRICED, [answer("雪", 90, 60), answer("夜", 1, 1)]);
    let ledger = ledger(Some(240), None);
    let budgeted = budgeted(&model, &ledger);
    call_short(&budgeted).await.unwrap();
    let message = refused(call_short(&budgeted).await);
    assert!(message.starts_with("150 of 240 tokens are spent, 0 set aside, and about "), "{message}");
    assert_eq!(model.left(), 1, "the model was not asked");
}

#[tokio::test]
async fn parallel_calls_cannot_overdraw_together() {
    let model = ScriptedModel::responding(PRICED, |_| answer("雪", 6, 94)).with_latency(Duration::from_millis(1));
    let ledger = ledger(Some(350), None);
    let budgeted = budgeted(&model, &ledger);
    let results = join_all((0..8).map(|_| call_short(&budgeted))).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 3);
    assert_eq!(ledger.spent().usage.output, 3 * 94);
}

#[tokio::test]
async fn failed_calls_give_back_what_was_set_aside() {
    let model = scripted(PRICED, [lost().into(), answer("雪", 6, 1)]);
    let ledger = ledger(Some(110), None);
    let budgeted = budgeted(&model, &ledger);
    assert!(matches!(call_short(&budgeted).await, Err(Error::Transport { .. })));
    assert_eq!(ledger.spent(), ModelSpending::default());
    call_short(&budgeted).await.unwrap();
}

#[tokio::test]
async fn money_stops_and_what_cannot_be_compared_is_refused() {
    let spent = |micros| ModelSpending { micros: [("CNY".to_owned(), micros)].into(), ..ModelSpending::default() };
    let resumed = |limit: Cost, spent| {
        Arc::new(BudgetLedger::resumed(SpendingBudget { tokens: None, money: Some(limit) }, prices(), spent))
    };
    let model = ScriptedModel::responding(PRICED, |_| answer("雪", 6, 94));
    // A call is estimated at 6 tokens in and 94 out.
    call_short(&budgeted(&model, &resumed(cny(1_000), spent(706)))).await.unwrap();
    let message = refused(call_short(&budgeted(&model, &resumed(cny(1_000), spent(707)))).await);
    assert_eq!(message, "0.0007 CNY of 0.0010 CNY are spent, 0.0000 CNY set aside, and about 0.0002 CNY are asked");

    let dollars = Cost { micros: 1_000_000, currency: "USD".into() };
    let message = refused(call_short(&budgeted(&model, &resumed(dollars, ModelSpending::default()))).await);
    assert_eq!(message, format!("{PRICED} is paid in CNY, the budget is in USD"));
    let unpriced = ModelSpending { unpriced: 1, ..ModelSpending::default() };
    assert_eq!(
        refused(call_short(&budgeted(&model, &resumed(cny(1_000), unpriced))).await),
        "1 calls had no known price"
    );
    let unknown = ScriptedModel::responding("mine/unknown", |_| answer("雪", 6, 94));
    let message = refused(call_short(&budgeted(&unknown, &resumed(cny(1_000), ModelSpending::default()))).await);
    assert_eq!(message, "the price of mine/unknown is not known");
    let free = ScriptedModel::responding("offline-rules-1", |_| answer("雪", 0, 0));
    call_short(&budgeted(&free, &resumed(cny(0), spent(7)))).await.unwrap();
}

#[derive(Debug)]
struct Others(std::sync::Mutex<ModelSpending>);

impl SpendingSource for Others {
    fn spent(&self) -> futures::future::BoxFuture<'_, Result<ModelSpending, Error>> {
        Box::pin(std::future::ready(Ok(self.0.lock().unwrap().clone())))
    }
}

#[tokio::test]
async fn a_day_has_one_budget_for_all_its_runs() {
    let spent = |input| ModelSpending { usage: Usage { input, ..Usage::default() }, ..ModelSpending::default() };
    let others = Arc::new(Others(std::sync::Mutex::new(spent(100))));
    let day = DailyBudget {
        scope: Scope::Day,
        budget: SpendingBudget { tokens: Some(500), money: None },
        before: spent(50),
        elsewhere: Arc::clone(&others) as Arc<dyn SpendingSource>,
    };
    // Of what the run has spent before, only today's part counts for the day.
    let ledger = BudgetLedger::resumed(SpendingBudget { tokens: Some(9_000), money: None }, prices(), spent(5_000));
    let ledger = Arc::new(ledger.with_day(day));
    let model = ScriptedModel::responding(PRICED, |_| answer("雪", 6, 94));
    let budgeted = budgeted(&model, &ledger);
    call_short(&budgeted).await.unwrap();
    call_short(&budgeted).await.unwrap();
    *others.0.lock().unwrap() = spent(151);
    let refusal = call_short(&budgeted).await.unwrap_err();
    let Error::Budget { message, overdraft: Some(over) } = refusal else { panic!("{refusal:?}") };
    assert_eq!(message, "401 of 500 tokens for today are spent, 0 set aside, and about 100 are asked");
    assert_eq!((over.scope, over.currency.as_deref(), over.needed()), (Scope::Day, None, 501));
    assert_eq!(model.requests().len(), 2, "the model was not asked");
    *others.0.lock().unwrap() = spent(150);
    call_short(&budgeted).await.unwrap();
    assert_eq!(ledger.spent().usage.input, 5_000 + 3 * 6);
}

#[tokio::test]
async fn the_model_that_answered_is_charged() {
    let wanted = scripted("mine/unknown", [lost().into()]);
    let spare = scripted(PRICED, [answer("雪", 10, 10)]);
    let ledger = ledger(None, None);
    let spare = Stack::new(Arc::new(spare)).budget(ledger.clone()).build();
    let stack = Stack::new(Arc::new(wanted)).budget(ledger.clone()).fallback([spare]);
    let reply = call(&*stack.build()).await.unwrap();
    assert_eq!(reply.model, PRICED);
    let substitution = reply.substitution.unwrap();
    assert_eq!((substitution.wanted.as_str(), substitution.error), ("mine/unknown", lost().to_string()));
    assert_eq!((ledger.spent().unpriced, ledger.spent().micros["CNY"]), (0, 50));
}

#[tokio::test]
async fn silence_about_usage_is_estimated_except_for_the_free() {
    let silent = scripted(PRICED, [answer("雪夜，门开了。", 0, 0)]);
    let counted = ledger(None, None);
    let reply = call(&budgeted(&silent, &counted)).await.unwrap();
    assert_eq!(reply.usage, Usage { input: 6, output: 7, estimated: true, ..Usage::default() });
    assert_eq!(counted.spent().usage, reply.usage);

    let offline = scripted("offline-rules-1", [answer("雪夜，门开了。", 0, 0)]);
    let uncounted = ledger(None, None);
    assert_eq!(call(&budgeted(&offline, &uncounted)).await.unwrap().usage, Usage::default());
    assert_eq!(uncounted.spent().micros["USD"], 0);
}

fn reported(text: &str, input: u64, output: u64, prices: Prices) -> impl Future<Output = (Usage, Usage)> {
    let wire = ModelScript::Items(vec![
        Ok(ChatEvent::Text(text.into())),
        Ok(ChatEvent::Done(Box::new(Reply {
            text: text.into(),
            usage: Usage { input, output, ..Usage::default() },
            ..Reply::default()
        }))),
    ]);
    let ledger = Arc::new(BudgetLedger::new(SpendingBudget::default(), prices));
    let model = budgeted(&scripted("mine/x", [wire]), &ledger);
    async move { (call(&model).await.unwrap().usage, ledger.spent().usage) }
}

#[tokio::test]
async fn reported_zeros_beside_text_are_estimated() {
    let mut local = prices();
    local.set_local("mine/x");
    for (input, output, expected) in [(0, 0, (6, 7, true)), (90, 0, (90, 7, true)), (0, 50, (6, 50, true))] {
        let (told, counted) = reported("雪夜，门开了。", input, output, local.clone()).await;
        assert_eq!((told.input, told.output, told.estimated), expected, "also where no money is asked");
        assert_eq!(counted, told);
    }
    let (told, _) = reported("", 90, 0, local).await;
    assert_eq!((told.output, told.estimated), (0, false), "nothing was said, and nothing is estimated");
}

#[tokio::test]
async fn token_budgets_hold_for_free_models_only_if_asked() {
    let model = ScriptedModel::responding("offline-rules-1", |_| answer("雪", 6, 94));
    let free = Arc::new(BudgetLedger::new(SpendingBudget { tokens: Some(1), money: None }, prices()));
    call_short(&budgeted(&model, &free)).await.unwrap();
    assert_eq!((free.spent().calls, free.spent().usage), (1, Usage::default()), "it leaves the budget to others");
    let limited = BudgetLedger::new(SpendingBudget { tokens: Some(1), money: None }, prices());
    let limited = Arc::new(limited.with_free_models(FreeModels::Limited));
    assert!(refused(call_short(&budgeted(&model, &limited)).await).starts_with("0 of 1 tokens are spent"));
}

#[derive(Debug, Default)]
struct Book(std::sync::Mutex<Vec<Charge>>);

impl Bookkeeper for Book {
    fn book(&self, charge: Charge) {
        self.0.lock().unwrap().push(charge);
    }
}

#[tokio::test(start_paused = true)]
async fn every_request_that_was_answered_is_booked_whatever_came_of_it() {
    let thinking = ModelScript::Items(vec![Ok(ChatEvent::Reasoning("想一想".into())), Err(lost())]);
    let refusal = ModelScript::Items(vec![Err(Error::Provider { model: "a".into(), message: "overloaded".into() })]);
    let model = scripted(PRICED, [http(503, None).into(), thinking, refusal, answer("雪夜", 10, 5)]);
    let book = Arc::new(Book::default());
    let ledger = BudgetLedger::new(SpendingBudget::default(), prices()).with_bookkeeper(Arc::clone(&book) as _);
    let stack = Stack::new(Arc::new(model)).budget(Arc::new(ledger)).retry(RetryModel::default()).build();
    let attribution = Attribution { agent: "writer".into(), chapter: Some(3) };
    let request = ChatRequest { call: "generation/1".into(), attribution: attribution.clone(), ..request() };
    drain(stack.stream(&request).await.unwrap()).await.unwrap();
    let booked = book.0.lock().unwrap().clone();
    let usages: Vec<_> = booked.iter().map(|charge| charge.usage).collect();
    let estimated = Usage { input: 6, output: 3, estimated: true, ..Usage::default() };
    assert_eq!(usages, [estimated, Usage { input: 10, output: 5, ..Usage::default() }], "refusals cost nothing");
    assert_eq!((booked[0].call.as_str(), &booked[0].attribution), ("generation/1", &attribution));
    assert_eq!(booked[1].cost, Some(cny(35)));
}

#[tokio::test(start_paused = true)]
async fn a_request_given_up_before_its_answer_begins_is_booked() {
    let slow = scripted(PRICED, [answer("雪", 1, 1)]).with_latency(Duration::from_secs(60));
    let ledger = ledger(None, None);
    let model = budgeted(&slow, &ledger);
    tokio::time::timeout(Duration::from_secs(1), call(&model)).await.unwrap_err();
    assert_eq!(ledger.spent().usage, Usage { input: 6, output: 0, estimated: true, ..Usage::default() });
}

#[tokio::test]
async fn an_answer_given_up_in_the_middle_is_charged_by_what_arrived() {
    let model = scripted(PRICED, [answer("一二三四五六七八九十", 100, 100), broken_off("雪夜", lost())]);
    let ledger = ledger(None, None);
    let budgeted = budgeted(&model, &ledger);
    let mut stream = budgeted.stream(&request()).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), ChatEvent::Text("一二三四五六七八".into()));
    drop(stream);
    assert_eq!(ledger.spent().usage, Usage { input: 6, output: 8, estimated: true, ..Usage::default() });
    call(&budgeted).await.unwrap_err();
    assert_eq!(ledger.spent().usage, Usage { input: 12, output: 10, estimated: true, ..Usage::default() });
    assert_eq!(ledger.spent().calls, 2);
}

#[tokio::test]
async fn a_key_has_a_budget_beside_that_of_its_user() {
    let day = |scope, tokens| DailyBudget {
        scope,
        budget: SpendingBudget { tokens: Some(tokens), money: None },
        before: ModelSpending::default(),
        elsewhere: Arc::new(Others(std::sync::Mutex::default())),
    };
    let model = ScriptedModel::responding(PRICED, |_| answer("雪", 6, 94));
    for (of_user, of_key, expected) in [(150, 900, Scope::Day), (900, 150, Scope::Key)] {
        let ledger = BudgetLedger::new(SpendingBudget::default(), prices());
        let ledger = Arc::new(ledger.with_day(day(Scope::Day, of_user)).with_day(day(Scope::Key, of_key)));
        let budgeted = budgeted(&model, &ledger);
        call_short(&budgeted).await.unwrap();
        let Error::Budget { overdraft: Some(over), .. } = call_short(&budgeted).await.unwrap_err() else { panic!() };
        assert_eq!((over.scope, over.limit), (expected, 150));
    }
}
