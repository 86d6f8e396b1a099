//! Distributions of parameters: counts, moments, and errors with their lines.

use simhost_openscenario::ScenarioRuns;

fn file(content: &str) -> String {
    format!(
        "<OpenSCENARIO><FileHeader revMajor=\"1\" revMinor=\"2\"/>\n<ParameterValueDistribution>\n\
         <ScenarioFile filepath=\"a.xosc\"/>\n{content}\n</ParameterValueDistribution></OpenSCENARIO>"
    )
}

fn runs(content: &str) -> ScenarioRuns {
    let found = ScenarioRuns::read(&file(content)).expect("a distribution");
    found.expect("a file with a distribution")
}

/// Draws many numbers of a distribution.
fn numbers(distribution: &str) -> Vec<f64> {
    let found = runs(&format!(
        "<Stochastic numberOfTestRuns=\"20000\" randomSeed=\"4\"><StochasticDistribution parameterName=\"v\">\
         {distribution}</StochasticDistribution></Stochastic>"
    ));
    found.runs.iter().map(|run| run[0].parse().expect("a number")).collect()
}

fn moments(numbers: &[f64]) -> [f64; 2] {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    [mean, numbers.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count]
}

/// The mean lies within five standard errors, and the variance within five of a normal distribution.
fn has_moments(distribution: &str, [mean, variance]: [f64; 2]) {
    let [found, spread] = moments(&numbers(distribution));
    let error = 5.0 * (variance / 20_000.0).sqrt();
    assert!((found - mean).abs() < error, "{distribution}: mean {found}, expected {mean}");
    let part = (spread / variance - 1.0).abs();
    assert!(part < 0.12, "{distribution}: variance {spread}, expected {variance}");
}

#[test]
fn sets_and_ranges_are_combined() {
    let found = runs(
        "<Deterministic><DeterministicSingleParameterDistribution parameterName=\"speed\"><DistributionRange \
         stepWidth=\"0.1\"><Range lowerLimit=\"0\" upperLimit=\"0.3\"/></DistributionRange>\
         </DeterministicSingleParameterDistribution><DeterministicMultiParameterDistribution><ValueSetDistribution>\
         <ParameterValueSet><ParameterAssignment parameterRef=\"a\" value=\"1\"/><ParameterAssignment \
         parameterRef=\"b\" value=\"x\"/></ParameterValueSet><ParameterValueSet><ParameterAssignment \
         parameterRef=\"a\" value=\"2\"/><ParameterAssignment parameterRef=\"b\" value=\"y\"/></ParameterValueSet>\
         </ValueSetDistribution></DeterministicMultiParameterDistribution></Deterministic>",
    );
    assert_eq!((found.scenario.as_str(), found.names.len()), ("a.xosc", 3));
    assert_eq!(found.names, ["speed", "a", "b"]);
    assert_eq!(found.runs.len(), 8);
    assert_eq!(found.runs[1], ["0", "2", "y"]);
    assert_eq!(found.runs[6][1..], ["1", "x"]);
    assert!((found.runs[7][0].parse::<f64>().expect("a number") - 0.3).abs() < 1e-12);
}

#[test]
fn numbers_have_the_moments_of_their_distribution() {
    has_moments("<NormalDistribution expectedValue=\"3\" variance=\"4\"/>", [3.0, 4.0]);
    has_moments("<LogNormalDistribution expectedValue=\"3\" variance=\"4\"/>", [3.0, 4.0]);
    has_moments(
        "<UniformDistribution><Range lowerLimit=\"2\" upperLimit=\"8\"/></UniformDistribution>",
        [5.0, 3.0],
    );
    has_moments("<PoissonDistribution expectedValue=\"3.5\"/>", [3.5, 3.5]);
    has_moments(
        "<Histogram><Bin weight=\"1\"><Range lowerLimit=\"0\" upperLimit=\"1\"/></Bin><Bin weight=\"3\"><Range \
         lowerLimit=\"1\" upperLimit=\"2\"/></Bin></Histogram>",
        [1.25, 1.0 / 12.0 + 3.0 / 16.0],
    );
    has_moments(
        "<ProbabilityDistributionSet><Element value=\"0\" weight=\"3\"/><Element value=\"4\" weight=\"1\"/>\
         </ProbabilityDistributionSet>",
        [1.0, 3.0],
    );
    // of a normal distribution that is cut to its upper half: √(2/π) and 1 − 2/π
    let mean = (2.0 / std::f64::consts::PI).sqrt();
    has_moments(
        "<NormalDistribution expectedValue=\"0\" variance=\"1\"><Range lowerLimit=\"0\" upperLimit=\"99\"/>\
         </NormalDistribution>",
        [mean, 1.0 - mean * mean],
    );
}

#[test]
fn runs_do_not_depend_on_their_number_and_parameters_not_on_each_other() {
    let normal = "<NormalDistribution expectedValue=\"0\" variance=\"1\"/>";
    let draw = |count: u32, seed: u32| {
        let one = |name: &str| {
            format!(
                "<StochasticDistribution parameterName=\"{name}\">{normal}</StochasticDistribution>"
            )
        };
        let (a, b) = (one("a"), one("b"));
        runs(&format!(
            "<Stochastic numberOfTestRuns=\"{count}\" randomSeed=\"{seed}\">{a}{b}</Stochastic>"
        ))
    };
    let (few, many) = (draw(5, 1), draw(2000, 1));
    assert_eq!(few.runs, many.runs[..5]);
    assert!(draw(5, 2).runs.iter().zip(&few.runs).all(|(one, other)| one != other));
    let pairs: Vec<[f64; 2]> = many
        .runs
        .iter()
        .map(|run| [0, 1].map(|k| run[k].parse::<f64>().expect("a number")))
        .collect();
    let correlation = pairs.iter().map(|[a, b]| a * b).sum::<f64>() / 2000.0;
    assert!(correlation.abs() < 0.12, "{correlation}");
    assert!(pairs.iter().all(|[a, b]| a != b));
}

#[test]
fn wrong_distributions_are_errors_with_their_lines() {
    for (content, line, parts) in [
        ("", 2, ["expected either", "<Stochastic>"]),
        ("<Deterministic/><Stochastic numberOfTestRuns=\"1\"/>", 2, ["expected either", ""]),
        ("<Determinstic/>", 4, ["<Determinstic>", "did you mean `Deterministic`?"]),
        ("<Stochastic numberOfTestRuns=\"0\"/>", 4, ["numberOfTestRuns", "from 1 to"]),
        (
            "<Stochastic numberOfTestRuns=\"2\">\n<StochasticDistribution parameterName=\"a\">\n<NormalDistribution \
             expectedValue=\"0\" variance=\"-1\"/></StochasticDistribution></Stochastic>",
            6,
            ["`variance`", "above 0"],
        ),
        (
            "<Stochastic numberOfTestRuns=\"2\">\n<StochasticDistribution parameterName=\"a\">\n<NormalDistribution \
             expectedValue=\"0\" variance=\"1\"><Range lowerLimit=\"90\" upperLimit=\"99\"/></NormalDistribution>\
             </StochasticDistribution></Stochastic>",
            6,
            ["none of", "<Range>"],
        ),
        (
            "<Stochastic numberOfTestRuns=\"2\">\n<StochasticDistribution parameterName=\"a\">\n\
             <UserDefinedDistribution type=\"t\"/></StochasticDistribution></Stochastic>",
            6,
            ["<UserDefinedDistribution>", "NormalDistribution"],
        ),
        (
            "<Deterministic><DeterministicSingleParameterDistribution parameterName=\"a\">\n<DistributionRange \
             stepWidth=\"0\"><Range lowerLimit=\"0\" upperLimit=\"1\"/></DistributionRange>\
             </DeterministicSingleParameterDistribution></Deterministic>",
            5,
            ["`stepWidth`", "above 0"],
        ),
        (
            "<Deterministic><DeterministicSingleParameterDistribution parameterName=\"a\">\n<DistributionSet/>\
             </DeterministicSingleParameterDistribution></Deterministic>",
            4,
            ["found 0 runs", "expected 1 to"],
        ),
        (
            "<Deterministic><DeterministicMultiParameterDistribution><ValueSetDistribution>\n<ParameterValueSet>\
             <ParameterAssignment parameterRef=\"a\" value=\"1\"/></ParameterValueSet>\n<ParameterValueSet>\
             <ParameterAssignment parameterRef=\"b\" value=\"1\"/></ParameterValueSet>\n</ValueSetDistribution>\
             </DeterministicMultiParameterDistribution></Deterministic>",
            6,
            ["`b`", "the first set"],
        ),
    ] {
        let error = ScenarioRuns::read(&file(content)).expect_err(content).in_file("d.xosc");
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        assert!(error.contains(&format!("d.xosc:{line}")), "line {line}: {error}");
    }
    assert_eq!(ScenarioRuns::read("<OpenSCENARIO/>").expect("no error"), None);
}
