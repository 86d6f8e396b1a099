//! Prints the times of calls of `run_steps` in Rust, ns, as `cost.c` does through the library. Usage: `cost WORLD CALLS`
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use simhost::{Options, Session};

/// Returns the least time of a call with a number of steps, ns.
fn measure(session: &mut Session, steps: u64, calls: u32) -> Result<f64, simhost::Error> {
    let mut least = f64::INFINITY;
    for _ in 0..50 {
        let began = Instant::now();
        for _ in 0..calls {
            session.run_steps(steps)?;
        }
        least = least.min(began.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    Ok(least)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let mut session = Session::open(&arguments[1], Options::default())?;
    let calls: u32 = arguments[2].parse()?;
    println!("{:.1} {:.1}", measure(&mut session, 1, calls)?, measure(&mut session, 0, calls)?);
    Ok(())
}
