//! The shader files of pipelines. A file that has never worked is set aside, and the embedded file is used until the
//! file changes. Such a file may come from another version of the program.

use std::sync::{Arc, Mutex};

use super::compile::{Built, Make, Unmade};
use crate::gpu::Gpu;
use crate::gpu::shader::error_location::ShaderFault;
use crate::gpu::shader::source::ShaderSource;
use crate::workers::lock;

pub(in crate::gpu) struct Sources {
    now: Mutex<Arc<ShaderSource>>,
    set_aside: Mutex<Vec<String>>,
}

impl Sources {
    pub fn new(source: ShaderSource) -> Self {
        Self {
            now: Mutex::new(Arc::new(source)),
            set_aside: Mutex::default(),
        }
    }

    pub fn now(&self) -> Arc<ShaderSource> {
        Arc::clone(&lock(&self.now))
    }

    pub fn said(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.set_aside))
    }

    /// Makes a pipeline for the first time. If a file fails, uses the embedded file.
    pub fn first<P>(&self, gpu: &Gpu, make: &Make<P>) -> Result<Built<P>, Box<ShaderFault>> {
        loop {
            let source = self.now();
            match make(gpu, &source) {
                Ok(built) => return Ok(built),
                Err(unmade) => {
                    // Another thread may have set the file aside already.
                    let is_other = self.put_aside(&unmade) || !Arc::ptr_eq(&source, &self.now());
                    if !is_other {
                        return Err(unmade.fault);
                    }
                }
            }
        }
    }

    /// Sets aside the faulty file. If the fault has no known file, sets aside all files that were read. Returns false
    /// if all of them are embedded.
    fn put_aside(&self, unmade: &Unmade) -> bool {
        let mut said = lock(&self.set_aside);
        let mut source = ShaderSource::clone(&self.now());
        let wrong = unmade.fault.place.as_ref().map(|place| &place.module);
        let wrong = wrong.filter(|module| source.differs(module));
        let modules: Vec<String> = match wrong {
            Some(module) => vec![module.clone()],
            None => {
                let read = unmade.files.keys().cloned();
                read.filter(|module| source.differs(module)).collect()
            }
        };
        if modules.is_empty() {
            return false;
        }
        for module in &modules {
            source.put_aside(module);
            said.push(format!(
                "shaders/{module}.wesl does not work here; using the embedded one until it changes: {}",
                unmade.fault.line()
            ));
        }
        *lock(&self.now) = Arc::new(source);
        true
    }
}
