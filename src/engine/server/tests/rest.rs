//! Waiting until a run rests.

use super::*;

/// It must come at once or soon, whatever the machine is doing.
async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), what).await.expect("it comes")
}

impl House {
    async fn rest(&self, id: Uuid) -> Result<Run<Counting>, AppError> {
        soon(self.engine.rest::<Counting>(id)).await
    }

    async fn row(&self, id: Uuid) -> RunRow {
        self.engine.store().run(id).await.expect("read").expect("there")
    }
}

#[tokio::test]
async fn whoever_waits_gets_the_run_as_it_rests_however_late_they_come() {
    let house = house(&[Turn::Says("a b c"), Turn::Breaks("ha", ModelError::Truncated)]).await;
    let id = house.start(3).await;
    let early = futures::future::join_all((0..20).map(|_| house.rest(id))).await;
    let truth = house.engine.load::<Counting>(id).await.expect("folds");
    assert_eq!(truth.status(), Status::Done);
    assert!(early.iter().all(|run| run.as_ref() == Ok(&truth)));
    assert_eq!(house.rest(id).await, Ok(truth.clone()));
    let told: Vec<_> = soon(house.engine.follow::<Counting>(id).collect()).await;
    assert_eq!(told, [Ok(truth)], "a run at rest is told once");
}

#[tokio::test]
async fn each_append_is_told_once_and_the_last_is_the_rest() {
    let house = house(&[Turn::Says("one"), Turn::Breaks("tw", ModelError::Truncated), Turn::Says("two")]).await;
    let id = house.start(2).await;
    let told: Vec<_> = soon(house.engine.follow::<Counting>(id).map(|run| run.expect("told")).collect()).await;
    let (last, before) = told.split_last().expect("runs");
    assert!(told.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    assert!(before.iter().all(|run| run.status() == Status::Running));
    assert_eq!((last.status(), last.state.said.len()), (Status::Done, 2));
    // What it took and what was said are committed together.
    assert!(told.iter().all(|run| run.progress.calls.len() >= run.state.said.len()));
    assert_eq!(*last, house.engine.load::<Counting>(id).await.expect("folds"));
}

#[tokio::test]
async fn a_rest_that_nobody_saw_was_none() {
    let house = house(&[Turn::Hangs("one")]).await;
    let id = house.start(3).await;
    let mut runs = house.engine.follow::<Counting>(id);
    assert!(soon(runs.next()).await.is_some());
    house.until(id, |reader| !reader.texts.is_empty()).await;
    for verb in [Verb::Stop, Verb::Continue] {
        house.act(id, verb).await.expect("done");
    }
    let end = house.ended(id).await;
    assert_eq!(soon(runs.collect::<Vec<_>>()).await, [Ok(end)]);
}

#[tokio::test]
async fn what_rests_before_it_is_listened_to_is_not_missed() {
    let house = house(&[Turn::Hangs("half")]).await;
    let id = house.start(1).await;
    let mut runs = house.engine.follow::<Counting>(id);
    assert_eq!(soon(runs.next()).await.and_then(Result::ok).map(|run| run.status()), Some(Status::Running));
    house.act(id, Verb::Stop).await.expect("stopped");
    let rest: Vec<_> = soon(runs.collect()).await;
    assert_eq!(rest.last().and_then(|run| run.as_ref().ok()).map(Run::status), Some(Status::Stopped));
}

#[tokio::test]
async fn the_end_of_the_server_is_not_the_runs() {
    let house = house(&[Turn::Hangs("half")]).await;
    let id = house.start(1).await;
    house.until(id, |reader| !reader.texts.is_empty()).await;
    let (waited, ()) = tokio::join!(house.rest(id), house.engine.close());
    assert_eq!(waited.expect_err("no rest").code, Code::Unavailable);
    assert_eq!(house.row(id).await.status, Status::Running);
    assert_eq!(house.rest(id).await.expect_err("no rest").code, Code::Unavailable);
}

#[tokio::test]
async fn nobody_waits_for_a_run_that_is_gone() {
    for (all, heard) in [(false, false), (false, true), (true, false), (true, true)] {
        let house = house(&[Turn::Hangs("half")]).await;
        let id = house.start(1).await;
        house.until(id, |reader| !reader.texts.is_empty()).await;
        let mut runs = house.engine.follow::<Counting>(id);
        assert!(soon(runs.next()).await.is_some_and(|run| run.is_ok()));
        let mut gone = runs.collect::<Vec<_>>();
        if heard {
            assert!(futures::poll!(&mut gone).is_pending());
        }
        if all {
            house.engine.erase("anna").await.expect("erased");
        } else {
            house.engine.delete(&house.row(id).await).await.expect("deleted");
        }
        let told = soon(gone).await;
        assert_eq!(told.last().and_then(|run| run.as_ref().err()).map(|error| error.code), Some(Code::NotFound), "{all} {heard}");
        assert_eq!(house.rest(id).await.expect_err("gone").code, Code::NotFound);
    }
    let house = house(&[]).await;
    assert_eq!(house.rest(Uuid::now_v7()).await.expect_err("nowhere").code, Code::NotFound);
}
