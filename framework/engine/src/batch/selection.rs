//! Quantities of the members of a batch, by name.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use simhost_model::Patterns;
use simhost_world::World;

use crate::quantities::{Quantities, QuantityInfo, UnknownQuantity};
use crate::simulation::Simulation;

/// Quantities of the members of a batch, by name.
///
/// The places of their values are those of the variant of each member: a parameter that vehicles of one table share
/// moves its vehicle into a table of its own, and others change the number of rays of a sensor. They are looked up once
/// for each variant. Values that a variant does not have are NaN.
pub struct MemberQuantities {
    infos: Vec<QuantityInfo>,
    width: usize,
    bound: RwLock<BTreeMap<usize, BoundQuantities>>,
}

/// Quantities with their places in the simulations of members of a world, by whose address they are found.
struct BoundQuantities {
    // no other world has the address as long as this exists
    world: Weak<World>,
    quantities: Arc<Quantities>,
}

impl MemberQuantities {
    /// Returns the quantities that patterns select in any of several worlds, in the order of the first one. An array has the
    /// length of the longest.
    ///
    /// # Errors
    /// [`UnknownQuantity`] if a pattern stands for none in all worlds.
    pub fn select(
        worlds: &[(&World, &Simulation)],
        patterns: &Patterns,
    ) -> Result<Self, UnknownQuantity> {
        let mut infos: Vec<QuantityInfo> = Vec::new();
        // only looked up, never iterated
        let mut known: HashMap<String, usize> = HashMap::new();
        let selected = Quantities::select_each(worlds, patterns)?;
        for info in selected.iter().flat_map(Quantities::infos).cloned() {
            match known.get(&info.name) {
                Some(&at) => infos[at].len = infos[at].len.max(info.len),
                None => {
                    known.insert(info.name.clone(), infos.len());
                    infos.push(info);
                }
            }
        }
        let width = infos.iter().map(QuantityInfo::count).sum();
        Ok(Self { infos, width, bound: RwLock::default() })
    }

    /// Returns the quantities in the order of their values.
    pub fn infos(&self) -> &[QuantityInfo] {
        &self.infos
    }

    /// Returns the number of values of a member.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the quantities with their places in a simulation.
    pub fn bind(&self, world: &World, simulation: &Simulation) -> Quantities {
        Quantities::bind(self.infos.clone(), world, simulation)
    }

    /// Returns the quantities with their places in the simulations of members of a world, of which `proxy` is one.
    pub(super) fn of(&self, world: &Arc<World>, proxy: &Simulation) -> Arc<Quantities> {
        let address = Arc::as_ptr(world).addr();
        {
            let bound = self.bound.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = bound.get(&address).filter(|known| known.world.strong_count() > 0)
            {
                return Arc::clone(&known.quantities);
            }
        }
        let quantities = Arc::new(self.bind(world, proxy));
        let mut bound = self.bound.write().unwrap_or_else(PoisonError::into_inner);
        bound.retain(|_, known| known.world.strong_count() > 0);
        let world = Arc::downgrade(world);
        bound.insert(address, BoundQuantities { world, quantities: Arc::clone(&quantities) });
        quantities
    }
}
