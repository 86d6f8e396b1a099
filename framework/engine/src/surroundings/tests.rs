use simhost_abi::NO_ENTITY;

use super::*;

/// Fifty vehicles and fifty actors on a spiral, of which several have the same distance.
fn crowd() -> Surroundings {
    let mut all = Surroundings::default();
    all.numbers.add(entity_kind::VEHICLE, 50);
    all.numbers.add(entity_kind::BLOCK, 7);
    all.numbers.add(entity_kind::ACTOR, 50);
    let numbers = (0..50).chain(57..107);
    all.entities = numbers
        .map(|number: u32| {
            let (sin, cos) = simhost_sdk::math::sin_cos(f64::from(number % 8) * 0.5);
            let radius = f64::from(number / 5);
            let position = [radius * cos, radius * sin, 0.0];
            Neighbour {
                position,
                entity: number,
                kind: all.numbers.kind(number),
                ..Neighbour::NONE
            }
        })
        .collect();
    let points = all.entities.iter().map(|entity| [entity.position[0], entity.position[1]]);
    all.places.update(points);
    all
}

fn ask(all: &Surroundings, query: &NeighbourQuery, capacity: usize) -> (usize, Vec<u32>) {
    let mut found = vec![Neighbour::NONE; capacity];
    let total = all.query(3, query, &mut AnswerBuffer::over(&mut found));
    (total, found[..total.min(capacity)].iter().map(|one| one.entity).collect())
}

#[test]
fn the_nearest_come_first_whatever_the_capacity() {
    let all = crowd();
    for mask in [entity_kind::VEHICLE, entity_kind::ACTOR, entity_kind::ALL | entity_kind::OWN] {
        for (centre, radius) in [([0.0; 2], 7.0), ([2.0, 3.0], 30.0), ([0.5, 0.0], 0.1)] {
            let query = NeighbourQuery::new(centre, radius).of(mask);
            let mut expected: Vec<(f64, u32)> = Vec::new();
            for one in &all.entities {
                let [dx, dy] = [one.position[0] - centre[0], one.position[1] - centre[1]];
                let distance = (dx * dx + dy * dy).sqrt();
                let kind = if one.entity == 3 { entity_kind::OWN } else { one.kind };
                if distance <= radius && mask & kind != 0 {
                    expected.push((distance, one.entity));
                }
            }
            expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let numbers: Vec<u32> = expected.iter().map(|(_, number)| *number).collect();
            for capacity in [0, 1, 2, 3, 8, 50, 200] {
                let (total, found) = ask(&all, &query, capacity);
                assert_eq!(total, numbers.len(), "{query:?}");
                assert_eq!(found, numbers[..capacity.min(total)], "{query:?}, {capacity}");
            }
        }
    }
}

#[test]
fn numbers_follow_the_kinds() {
    let all = crowd();
    let kinds = [0, 49, 50, 56, 57, 106, 107, NO_ENTITY].map(|number| all.numbers.kind(number));
    let (vehicle, block, actor) = (entity_kind::VEHICLE, entity_kind::BLOCK, entity_kind::ACTOR);
    assert_eq!(kinds, [vehicle, vehicle, block, block, actor, actor, 0, 0]);
}

#[test]
fn the_own_vehicle_is_selected_by_its_own_bit() {
    let all = crowd();
    assert!(!all.selects(entity_kind::ALL, 3, 3) && all.selects(entity_kind::ALL, 4, 3));
    assert!(all.selects(entity_kind::OWN, 3, 3) && !all.selects(entity_kind::OWN, 4, 3));
}
