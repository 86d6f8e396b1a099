use super::*;

fn wanted_class(class: &str) -> Wanted {
    Wanted { class: class.to_owned(), ..Wanted::default() }
}

fn pool(classes: &[&str]) -> Pool {
    let made = classes.iter().map(|class| Examples::create(&wanted_class(class)).expect("known"));
    Pool::of(made.collect()).expect("different signals")
}

#[test]
fn the_drive_example_is_four_steps_late() {
    let pool = pool(&["DriveExample"]);
    let (mut memory, mut states) = (pool.memory(), [0.0; 7]);
    for call in 1..=8 {
        let wanted = if call == 1 { 0.0 } else { 5.0 };
        states = pool.step(&mut memory, states, [wanted, 0.0], 0.025);
        let expected = 0.025 * f64::from((call - 5).max(0));
        assert!((states[4] - expected).abs() < 1e-15, "{} in call {call}", states[4]);
    }
}

#[test]
fn the_steer_example_follows_with_a_limited_rate() {
    let pool = pool(&["SteerExample"]);
    let (mut memory, mut states) = (pool.memory(), [0.0; 7]);
    for expected in [0.075, 0.1375, 0.16875] {
        states = pool.step(&mut memory, states, [0.0, 0.2], 0.025);
        assert!((states[6] - expected).abs() < 1e-15, "{}", states[6]);
    }
}

#[test]
fn submodels_read_the_signals_before_the_step() {
    let orders = [
        ["KinematicModel", "SteerExample", "DriveExample"],
        ["DriveExample", "KinematicModel", "SteerExample"],
    ];
    let ends = orders.map(|classes| {
        let pool = pool(&classes);
        let (mut memory, mut states) = (pool.memory(), [0.0; 7]);
        for _ in 0..100 {
            states = pool.step(&mut memory, states, [3.0, 0.2], 0.025);
        }
        states
    });
    assert_eq!(ends[0], ends[1], "the order has no influence");
    assert!(ends[0][0] > 1.0 && ends[0][1] > 0.1);
}

#[test]
fn lists_have_equal_lengths() {
    let list = |modules: &str, params: &str, classes: &str| {
        wanted(Vec::new(), [&modules.to_owned(), &params.to_owned(), &classes.to_owned()])
    };
    let three = list("a b c", "[\"\", \"\", \"\"]", "[\"K\", 'S', D]").expect("three");
    assert_eq!((three[2].module.as_str(), three[2].class.as_str()), ("c", "D"));
    let error = list("a b", "[\"\", \"\", \"\"]", "K S D").expect_err("lengths");
    assert!(error.contains("2 items, model_param_paths 3, and model_class_names 3"), "{error}");
    let error = list("a", "p.yaml", "K").expect_err("a file");
    assert!(error.contains("`p.yaml`"), "{error}");
    assert_eq!(list("", "", "").expect("the examples").len(), 3);
    let both = wanted(vec![wanted_class("K")], [&"a".to_owned(), &String::new(), &String::new()]);
    assert!(both.is_err());
}

#[test]
fn errors_name_the_submodel_and_the_line() {
    let of = |class: &str, text: &str| {
        let params = Some(TextFile { path: "p.yaml".to_owned(), text: text.to_owned() });
        Examples::create(&Wanted { class: class.to_owned(), params, module: String::new() }).err()
    };
    let error = Examples::create(&wanted_class("Drive")).err().expect("unknown");
    assert!(
        error.starts_with("unknown submodel Drive; expected one of: KinematicModel"),
        "{error}"
    );
    assert_eq!(of("SteerExample", "# slow\ntime_constant: 0.2\n"), None);
    let cases = [
        ("rat: 1", "p.yaml:1: unknown `rat`; expected one of: time_constant, rate"),
        ("\nrate: fast", "p.yaml:2: rate is `fast`; expected a number above 0"),
        ("rate", "p.yaml:1: found `rate`; expected name: number"),
    ];
    for (text, expected) in cases {
        assert_eq!(of("SteerExample", text).as_deref(), Some(expected));
    }
    let twice =
        ["SteerExample", "SteerExample"].map(|class| Examples::create(&wanted_class(class)));
    let twice = twice.into_iter().map(|made| made.expect("known")).collect();
    assert!(Pool::of(twice).is_err_and(|error| error.contains("STEER")));
}
