//! A value that is replaced between frames while others hold it, and reverted if the first frame with it fails.

use std::sync::{Arc, Mutex};

use crate::workers::lock;

/// The current value, shared by all holders of the slot.
pub struct Slot<T>(Mutex<Generations<T>>);

struct Generations<T> {
    now: Arc<T>,
    /// The previous value, until a frame has been drawn with `now`.
    before: Option<Arc<T>>,
    /// True if `now` has been requested since it was set.
    used: bool,
}

impl<T> Slot<T> {
    pub fn new(first: T) -> Self {
        Self(Mutex::new(Generations {
            now: Arc::new(first),
            before: None,
            used: false,
        }))
    }

    /// The current value, to be used.
    pub fn get(&self) -> Arc<T> {
        let mut generations = lock(&self.0);
        generations.used = true;
        Arc::clone(&generations.now)
    }

    /// The current value, for inspection only.
    pub fn peek(&self) -> Arc<T> {
        Arc::clone(&lock(&self.0).now)
    }

    pub fn put(&self, next: T) {
        let mut generations = lock(&self.0);
        let last = std::mem::replace(&mut generations.now, Arc::new(next));
        // A value that no frame has been drawn with is not worth reverting to.
        generations.before.get_or_insert(last);
        generations.used = false;
    }

    /// After a good frame: the value that it used stays.
    pub fn keep(&self) {
        let mut generations = lock(&self.0);
        if generations.used {
            generations.before = None;
        }
    }

    /// After a failed frame: restores the value before the one that it used. Returns false if there is none.
    pub fn put_back(&self) -> bool {
        let mut generations = lock(&self.0);
        let is_doubtful = generations.used;
        let before = generations.before.take_if(|_| is_doubtful);
        before.map(|before| generations.now = before).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_failed_frame_used_goes_back_and_what_a_good_one_used_stays() {
        let slot = Slot::new(1);
        assert!(!slot.put_back(), "nothing came before the first");
        slot.put(2);
        assert!(!slot.put_back(), "a frame that did not use it says nothing");
        assert_eq!(*slot.get(), 2);
        assert!(slot.put_back());
        assert_eq!(*slot.peek(), 1);
        slot.put(3);
        slot.keep();
        slot.put(4);
        assert_eq!(*slot.get(), 4);
        assert!(slot.put_back());
        assert_eq!(*slot.get(), 1, "3 was never used");
        slot.put(5);
        assert_eq!(*slot.get(), 5);
        slot.keep();
        assert!(!slot.put_back());
        assert_eq!(*slot.get(), 5);
    }
}
