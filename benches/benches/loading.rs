//! Time to load a large world file, compared with a pass over its XML events, and to load and build a
//! world.
#![allow(missing_docs)]

#[path = "../../framework/world/tests/world/crowd.rs"]
mod crowd;

use criterion::{Criterion, criterion_group, criterion_main};
use crowd::crowd;
use quick_xml::events::Event;
use simhost_benches::{build, crowd_world, fastest, is_test_run, report};
use simhost_registry::{Catalogue, Options};
use simhost_world::{LoadOptions, load};

fn events(text: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut count = 0;
    while !matches!(reader.read_event().expect("the world is well formed"), Event::Eof) {
        count += 1;
    }
    count
}

fn loading(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    for count in [1_000, 10_000] {
        let text = crowd(count);
        let name = format!("simhost-bench-{}-{count}.world.xml", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, &text).expect("the temporary directory is writable");
        let mut group = criterion.benchmark_group(format!("crowd of {count}"));
        group.sample_size(20);
        group.bench_function("events", |bencher| bencher.iter(|| events(&text)));
        group.bench_function("load", |bencher| {
            bencher.iter(|| {
                load(&path, &LoadOptions::default(), &catalogue).expect("the world is correct")
            });
        });
        group.finish();
        let _ = std::fs::remove_file(&path);
    }
    let text = crowd_world("differential", 1_000);
    let load_and_build = || {
        let simulation = build(&catalogue, &text, &[], 1);
        assert_eq!(simulation.vehicle_names().len(), 1_000);
    };
    if is_test_run() {
        load_and_build();
    } else {
        let time = fastest(5, load_and_build) / 1_000.0;
        report(&format!("  loading and building, per vehicle at 1,000: {:.2} µs", time * 1e6));
    }
}

criterion_group!(benches, loading);
criterion_main!(benches);
