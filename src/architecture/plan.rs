//! Everything an architecture says, and what must hold of it.

use super::{Invalid, Layer, Mtp, Norm};
#[cfg(feature = "serde")]
use crate::schema::SchemaVersion;

/// Everything an architecture says, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Plan {
    #[cfg(feature = "serde")]
    schema_version: SchemaVersion,
    pub(crate) hidden: u64,
    pub(crate) vocab: u64,
    pub(crate) padded_vocab: u64,
    pub(crate) encoder: bool,
    pub(crate) embedding_width: Option<u64>,
    pub(crate) positions: u64,
    pub(crate) embedding_norm: Option<Norm>,
    pub(crate) kinds: Vec<Layer>,
    pub(crate) runs: Vec<Run>,
    pub(crate) final_norm: FinalNorm,
    pub(crate) tied: bool,
    pub(crate) head: Head,
    pub(crate) mtp: Option<Mtp>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub(crate) token_types: u64,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) per_layer: Option<PerLayer>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) streams: Option<u64>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) head_transform: Option<Norm>,
    /// The layers of the encoder that reads a source, of the same kinds.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub(crate) source_runs: Vec<Run>,
    #[cfg_attr(feature = "serde", serde(default = "FinalNorm::none", skip_serializing_if = "FinalNorm::is_none"))]
    pub(crate) source_norm: FinalNorm,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
const fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// A table with an embedding of its own for each layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct PerLayer {
    pub(crate) vocab: u64,
    pub(crate) width: u64,
}

/// So many layers of one kind in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Run {
    pub(crate) kind: usize,
    pub(crate) layers: u64,
}

/// What stands between the last layer and the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum FinalNorm {
    /// A norm of the kind the last layer has; resolved when built.
    AsInLayers,
    Given(Norm),
    None,
}

#[cfg(feature = "serde")]
impl FinalNorm {
    const fn none() -> Self {
        Self::None
    }

    const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum Head {
    None,
    Plain,
    Biased,
}

impl Plan {
    pub(super) const fn new(hidden: u64, vocab: u64, encoder: bool) -> Self {
        Self {
            #[cfg(feature = "serde")]
            schema_version: SchemaVersion,
            hidden,
            vocab,
            padded_vocab: vocab,
            encoder,
            embedding_width: None,
            positions: 0,
            embedding_norm: None,
            kinds: Vec::new(),
            runs: Vec::new(),
            final_norm: FinalNorm::AsInLayers,
            tied: false,
            head: Head::Plain,
            mtp: None,
            token_types: 0,
            per_layer: None,
            streams: None,
            head_transform: None,
            source_runs: Vec::new(),
            source_norm: FinalNorm::AsInLayers,
        }
    }

    /// What must hold of the whole.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        let sizes = [
            ("hidden", Some(self.hidden)),
            ("vocab", Some(self.vocab)),
            ("embedding_width", self.embedding_width),
            ("per-layer vocab", self.per_layer.map(|per_layer| per_layer.vocab)),
            ("per-layer embedding width", self.per_layer.map(|per_layer| per_layer.width)),
            ("residual streams", self.streams),
        ];
        if let Some(&(field, _)) = sizes.iter().find(|(_, size)| *size == Some(0)) {
            return Err(Invalid::Zero { field });
        }
        if self.padded_vocab < self.vocab {
            let (value, most) = (self.vocab, self.padded_vocab);
            return Err(Invalid::Above { field: "vocab", value, limit: "padded_vocab", most });
        }
        if self.runs.is_empty() {
            return Err(Invalid::NoLayers);
        }
        for runs in [&self.runs, &self.source_runs] {
            runs.iter().try_fold(0_u64, |sum, run| sum.checked_add(run.layers)).ok_or(Invalid::TooManyLayers)?;
        }
        let attends = |run: &Run| self.kinds.get(run.kind).is_some_and(Layer::reads_source);
        match (self.runs.iter().any(attends), self.source_runs.is_empty()) {
            (true, true) => return Err(Invalid::CrossWithoutEncoder),
            (false, false) => return Err(Invalid::EncoderWithoutCross),
            (true, false) | (false, true) => {}
        }
        for (needs_head, what) in [
            (self.tied, "a tied embedding"),
            (self.mtp.is_some(), "multi-token prediction"),
            (self.head_transform.is_some(), "a head transform"),
        ] {
            if needs_head && self.head == Head::None {
                return Err(Invalid::NoHead { what });
            }
        }
        if self.mtp.is_some() && self.embedding_width.is_some() {
            return Err(Invalid::MtpWithEmbeddingWidth);
        }
        if self.mtp.as_ref().is_some_and(|mtp| mtp.layer.reads_source()) {
            return Err(Invalid::MtpWithCross);
        }
        for (kind, layer) in self.kinds.iter().enumerate() {
            layer.check().map_err(|cause| self.at_layer(kind, cause))?;
        }
        if let Some(mtp) = &self.mtp {
            let place = "in multi-token prediction".to_owned();
            mtp.check().map_err(|cause| Invalid::At { cause: Box::new(cause), place })?;
        }
        let given = |norm| if let FinalNorm::Given(norm) = norm { Some(norm) } else { None };
        let [last, last_of_source] = [self.final_norm, self.source_norm].map(given);
        let mut norms = Layer::new();
        for norm in [self.embedding_norm, last, last_of_source, self.head_transform].into_iter().flatten() {
            norms = norms.with(norm);
        }
        norms.check()
    }

    /// Says in which layer the fault is, where there is more than one kind.
    fn at_layer(&self, kind: usize, cause: Invalid) -> Invalid {
        if self.kinds.len() == 1 {
            return cause;
        }
        let first = |runs: &[Run]| {
            let before = runs.get(..runs.iter().position(|run| run.kind == kind)?)?;
            Some(before.iter().fold(0_u64, |sum, run| sum.saturating_add(run.layers)))
        };
        let place = match (first(&self.runs), first(&self.source_runs)) {
            (None, Some(first)) => format!("in layer {first} of the encoder and those like it, counted from 0"),
            (first, _) => format!("in layer {} and those like it, counted from 0", first.unwrap_or_default()),
        };
        Invalid::At { cause: Box::new(cause), place }
    }

    /// Numbers kinds as the trunk uses them and then the encoder, so that two models of the same layers are equal,
    /// whichever of their stacks was built first.
    pub(super) fn number_by_first_use(&mut self) {
        let mut kinds: Vec<Option<Layer>> = std::mem::take(&mut self.kinds).into_iter().map(Some).collect();
        let mut numbers = vec![0_usize; kinds.len()];
        for run in self.runs.iter_mut().chain(&mut self.source_runs) {
            let (Some(kind), Some(number)) = (kinds.get_mut(run.kind), numbers.get_mut(run.kind)) else {
                continue;
            };
            if let Some(layer) = kind.take() {
                *number = self.kinds.len();
                self.kinds.push(layer);
            }
            run.kind = *number;
        }
    }

    pub(super) fn last_norm(&self, runs: &[Run]) -> FinalNorm {
        let last = runs.last().and_then(|run| self.kinds.get(run.kind));
        last.and_then(Layer::last_norm).map_or(FinalNorm::None, FinalNorm::Given)
    }
}
