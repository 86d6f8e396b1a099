#![allow(clippy::unwrap_used)]

use super::Wiring;
use crate::submodel::Submodel;

/// Adds an action to each state, and counts its calls in its memory, which starts at 10.
struct Sum(&'static [&'static str], &'static [&'static str]);

impl Submodel for Sum {
    fn actions(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
    fn states(&self) -> Vec<String> {
        self.1.iter().map(ToString::to_string).collect()
    }
    fn memory_len(&self) -> usize {
        1
    }
    fn reset(&self, memory: &mut [f64]) {
        memory[0] = 10.0;
    }
    fn forward(
        &self,
        actions: &[f64],
        states: &[f64],
        _: f64,
        memory: &mut [f64],
        next: &mut [f64],
    ) {
        memory[0] += 1.0;
        for (next, state) in next.iter_mut().zip(states) {
            *next = state + actions[0];
        }
    }
}

fn wired(parts: &[(&'static [&'static str], &'static [&'static str])]) -> Result<Wiring, String> {
    let boxed = |part: &(_, _)| Box::new(Sum(part.0, part.1)) as Box<dyn Submodel>;
    Wiring::new(&["U"], &["A", "B"], parts.iter().map(boxed).collect())
}

#[test]
fn all_submodels_read_the_signals_of_the_start_of_the_step() {
    for parts in
        [[(&["A"][..], &["B"][..]), (&["U"], &["A"])], [(&["U"], &["A"]), (&["A"], &["B"])]]
    {
        let wiring = wired(&parts).unwrap();
        let mut pool = wiring.start();
        let mut states = [0.0, 0.0];
        for expected in [[1.0, 0.0], [2.0, 1.0], [3.0, 3.0]] {
            wiring.step(&mut pool, &[1.0], &mut states, 0.1);
            assert_eq!(states, expected);
        }
        assert_eq!(pool[pool.len() - 2..], [13.0, 13.0]);
    }
}

#[test]
fn signals_start_again_from_states_that_something_else_has_set() {
    let wiring = wired(&[(&["C"], &["A"]), (&["U"], &["C"])]).unwrap();
    let mut pool = wiring.start();
    let mut states = [0.0, 0.0];
    for _ in 0..3 {
        wiring.step(&mut pool, &[1.0], &mut states, 0.1);
    }
    assert_eq!(states, [3.0, 0.0]);
    states = [8.0, 5.0];
    wiring.step(&mut pool, &[1.0], &mut states, 0.1);
    // C was 3 and is 0 again
    assert_eq!(states, [8.0, 5.0]);
    wiring.reset(&mut pool);
    assert_eq!(pool, wiring.start());
}

#[test]
fn wrong_signals_are_refused() {
    let error = |parts: &[_]| wired(parts).unwrap_err();
    assert_eq!(
        error(&[(&["V"], &["A"])]),
        "submodel 1 reads the signal `V`, which nothing provides; there are U, A, B"
    );
    let twice = error(&[(&["U"], &["C"]), (&["U"], &["C"])]);
    assert_eq!(twice, "submodels 1 and 2 both compute the signal `C`, expected one of them");
    assert_eq!(error(&[(&["A"], &["U"])]), "submodel 1 computes `U`, which is an input");
}
