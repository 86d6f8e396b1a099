use super::*;

#[test]
fn texts_read_back() {
    for text in [
        "robot/friction/mu=constant:0.8",
        "robot/pose=list:1 2 0.5,3 4 0",
        "mu=range:0.6:1.5:20",
        "mu=uniform:0.3:1",
        "mu=loguniform:0.001:10",
        "mu=normal:-1.5:0.25",
        "mu=truncated:1:0.5:0:2",
        "seed=choice:1,18446744073709551615",
        "mu=lhs:-1:1",
        "mu=sobol:0:1",
    ] {
        let variation: Variation = text.parse().unwrap();
        assert_eq!(variation.to_string(), text);
        assert_eq!(variation.values.to_string().parse(), Ok(variation.values));
    }
    let bare: Variation = " mu = 0.8 ".parse().unwrap();
    assert_eq!(bare, Variation::constant("mu", "0.8"));
    let spaced: Variation = "mu= uniform : 1e-1 : 2".parse().unwrap();
    assert_eq!(spaced.to_string(), "mu=uniform:0.1:2");
    let given = Variation::column("mu", vec![0.1 + 0.2, 5e-324]);
    let read: Variation = given.to_string().parse().unwrap();
    let numbers: Vec<_> = read.values.items().iter().map(VariedValue::numbers).collect();
    assert_eq!(numbers, [Some(vec![0.1 + 0.2]), Some(vec![5e-324])]);
}

#[test]
fn errors_name_position_and_expectation() {
    for (text, column, part) in [
        ("mu", 3, "found no '='"),
        ("=1", 1, "found no name"),
        ("mu=", 4, "found an empty value"),
        ("mu=unifrom:0:1", 4, "'unifrom'; did you mean 'uniform'?"),
        ("mu=xyz:0:1", 4, "expected one of: constant, list"),
        ("mu=uniform:0", 13, "found 1 arguments of 'uniform'; expected 2: uniform:LOW:HIGH"),
        ("mu=uniform:0:1:2", 16, "found 3 arguments"),
        ("mu=uniform:a:1", 12, "LOW is 'a'; expected a finite number"),
        ("mü=uniform:0:inf", 14, "HIGH is 'inf'; expected a finite number"),
        ("mu=uniform:1:1", 14, "HIGH is 1; expected more than LOW, 1"),
        ("mu=uniform:-1e308:1e308", 19, "is not finite"),
        ("mu=loguniform:0:1", 15, "LOW is 0; expected a positive number"),
        ("mu=normal:0:0", 13, "SD is 0; expected a positive number"),
        ("mu=truncated:0:1:2:1", 20, "HIGH is 1; expected more than LOW, 2"),
        ("mu=truncated:0:1:40:41", 18, "almost no probability"),
        ("mu=range:0:1:0", 14, "COUNT is 0; expected at least 1"),
        ("mu=range:0:1:1.5", 14, "COUNT is '1.5'; expected a whole number"),
        ("mu=list:1,,2", 11, "found an empty value"),
        ("mu=choice:", 11, "found an empty value"),
    ] {
        let error = text.parse::<Variation>().unwrap_err();
        let VariationError::Syntax { column: found, ref problem, .. } = error else {
            panic!("{error}")
        };
        assert!(found == column && problem.contains(part), "{text}: {found}: {problem}");
        assert!(error.to_string().contains(&format!("column {column}: ")), "{error}");
    }
}
