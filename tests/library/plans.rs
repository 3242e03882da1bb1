//! The file of a plan is read as it was written, and others are refused.

use kenga::experiment::{ConfigDraft, Plan, Shard};
use kenga::puzzle::{Cage, Square, operators};
use kenga::results::{ResultsError, plan_text, read_plan_text};

fn plan(sweep: &str) -> Plan {
    let text = format!("seed = 7\n[budget]\nevaluations = 100\n{sweep}");
    let settings =
        ConfigDraft::read("x.toml", &text).and_then(ConfigDraft::settings).expect("a sound configuration");
    let plus = operators::find("+").expect("a known operator");
    let whole = Cage::new(plus, 6, vec![(0, 0), (0, 1), (1, 0), (1, 1)]);
    let mut puzzle = Square::kenken(2, vec![whole]).build().expect("a sound puzzle");
    puzzle.id = "two".to_owned();
    Plan::new(settings, vec![puzzle])
}

#[test]
fn a_plan_is_read_as_it_was_written() {
    for sweep in ["", "[sweep]\n'algorithm.population' = [4, 8]\n'algorithm.crossover.rate' = [0.5, 1.0]"] {
        let plan = plan(sweep);
        let text = plan_text(&plan);
        let again = read_plan_text("plan.json", &text).expect("a plan");
        assert_eq!(plan_text(&again), text);
        assert_eq!((again.runs(), again.settings.keys.len()), (plan.runs(), plan.settings.keys.len()));
    }
}

#[test]
fn a_member_of_another_program_is_named_as_such() {
    let sweep = "[sweep]\n'algorithm.mutation' = ['swap', 'reset']";
    let plain = plan_text(&plan(""));
    let swept = plan_text(&plan(sweep));
    let mutation = "there is no mutation named `rotate`";
    for (text, was, is, told) in [
        (&plain, "\"swap\"", "\"rotate\"", mutation),
        (&swept, "{\"name\":\"reset\"", "{\"name\":\"rotate\"", mutation),
        (&plain, "\"op\":\"+\"", "\"op\":\"sqr\"", "unknown operator `sqr`"),
    ] {
        let changed = text.replace(was, is);
        assert_ne!(&changed, text);
        match read_plan_text("plan.json", &changed).expect_err("a member of another program") {
            ResultsError::NoMember { problem, .. } => assert_eq!(problem, told),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn what_is_no_plan_is_refused() {
    for text in ["", "{}", "[1]", "{\"format\": 1, \"kenga\": \"0\", \"config\": {}}"] {
        let error = read_plan_text("plan.json", text).expect_err("no plan");
        assert!(error.to_string().contains("plan.json"), "{error}");
    }
}

#[test]
fn a_shard_is_written_as_it_is_read() {
    assert_eq!("2/5".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/5".to_owned()));
    for bad in ["5/5", "0/0", "1", "/", "-1/3", "a/b", ""] {
        assert!(bad.parse::<Shard>().is_err(), "{bad}");
    }
    let said = |text: &str| text.parse::<Shard>().expect_err("no shard").to_string();
    assert_eq!(said("0/0"), "N must be at least 1, such as 0/1");
    assert_eq!(said("5/4"), "shards count from 0: the last of 4 is 3, not 5");
    assert_eq!(said("0/100001"), "N is 100001: it must be at most 100000");
    assert!(said("0/18446744073709551615").ends_with("at most 100000"));
    assert!("99999/100000".parse::<Shard>().is_ok());
}
