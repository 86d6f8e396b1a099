//! Bodies that contacts and joints connect, and contacts of bodies that overlap: what the limits of a
//! step collect, in memory that is reused from step to step.

/// Search for bodies that are connected by contacts and joints.
#[derive(Default)]
pub(super) struct Connections {
    /// Numbers of the bodies of the present group.
    pub members: Vec<usize>,
    /// Number of the group to which each body belongs; of an earlier step if it is less than `oldest`.
    pub group_of: Vec<u64>,
    /// Number of the first group of this step.
    pub oldest: u64,
    /// Groups of this step.
    pub groups: Vec<ContactGroup>,
}

/// Connected bodies.
#[derive(Clone, Copy, Default)]
pub(super) struct ContactGroup {
    /// Greatest w before the step, or speed of the fastest point of a driven body, m/s.
    pub speed: f64,
    /// Number of the body with that value, and the greatest value of the others, m/s.
    pub fastest: usize,
    pub next_speed: f64,
    /// Greatest coefficient of restitution.
    pub restitution: f64,
    /// Whether a spring acts.
    pub has_spring: bool,
    /// Whether a joint acts.
    pub has_joint: bool,
    /// Whether a body follows a plan or a prescribed velocity.
    pub is_driven: bool,
    /// Whether the bodies, although none is driven, have more energy than before the step.
    pub adds_energy: bool,
    /// Whether there is a contact or a joint.
    pub is_connected: bool,
}

impl Connections {
    /// Makes room for `count` bodies, so that searches do not allocate.
    pub fn reserve(&mut self, count: usize) {
        self.members.reserve(count);
        self.groups.reserve(count);
        self.group_of.resize(count, 0);
        self.oldest = self.oldest.max(1);
    }

    /// Forgets the groups of the last step.
    pub fn start(&mut self) {
        self.oldest += self.groups.len() as u64;
        self.groups.clear();
    }

    pub fn known(&self, number: usize) -> Option<ContactGroup> {
        let index = self.group_of[number].checked_sub(self.oldest)?;
        self.groups.get(index as usize).copied()
    }

    pub fn add(&mut self, number: usize) {
        let group = self.oldest + self.groups.len() as u64;
        if std::mem::replace(&mut self.group_of[number], group) != group {
            self.members.push(number);
        }
    }
}

/// A contact of two bodies, or of a body and an obstacle.
pub(super) struct Contact {
    /// Numbers of the bodies.
    pub bodies: [Option<usize>; 2],
    /// Order in which contacts are relaxed.
    pub rank: u8,
    /// Direction from the first to the second.
    pub normal: [f64; 2],
    /// Smallest displacement of the second relative to the first along the normal, m.
    pub least: f64,
}

/// Memory of a separation.
#[derive(Default)]
pub(super) struct Separation {
    pub contacts: Vec<Contact>,
    /// Displacements of all bodies, m.
    pub displacements: Vec<[f64; 2]>,
}
