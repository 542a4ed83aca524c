//! The rows as they are stored, and the architectures and conventions that they name.

use mfu::{
    Architecture, Attention, Block, Component, Convention, Core, Experts, FeedForward, Inclusion, LatentAttention,
    Layer, Mamba2, Mtp, Norm, Weights, Windows, catalog,
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) source: String,
    pub(super) link: String,
    pub(super) model: Option<Model>,
    pub(super) run: Option<Inputs>,
    pub(super) peak: Option<Divisor>,
    pub(super) convention: Option<Rule>,
    pub(super) variant: Option<Misreading>,
    pub(super) caveat: Option<String>,
    #[serde(default)]
    pub(super) figures: Vec<Figure>,
    pub(super) later: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Model {
    Listed { catalog: String },
    Built(Built),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Built {
    pub(super) hidden: u64,
    pub(super) vocab: u64,
    #[serde(default)]
    pub(super) tied: bool,
    pub(super) parameters: Option<String>,
    pub(super) layers: Vec<Layers>,
    pub(super) mtp: Option<Layers>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layers {
    pub(super) times: u64,
    pub(super) blocks: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Part {
    Attention {
        heads: u64,
        kv_heads: u64,
        head_dim: u64,
        #[serde(default)]
        qk_norm: bool,
    },
    LatentAttention {
        heads: u64,
        kv_rank: u64,
        nope: u64,
        rope: u64,
        value: u64,
    },
    Gated(u64),
    Plain(u64),
    Experts {
        count: u64,
        top_k: u64,
        width: u64,
        #[serde(default)]
        plain: bool,
        latent: Option<u64>,
        shared: Option<u64>,
    },
    Mamba2 {
        heads: u64,
        head_dim: u64,
        state: u64,
        groups: u64,
        kernel: u64,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Inputs {
    pub(super) length: u64,
    pub(super) sequences: Option<u64>,
    pub(super) devices: Option<u64>,
    pub(super) pace: Option<Speed>,
}

/// How fast, as a source prints it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Speed {
    Seconds(String),
    StepsPerSecond(String),
    TokensPerSecond(String),
    TokensPerSecondPerDevice(String),
    TflopsPerDevice(String),
    /// Of what the convention counts beside the attention core.
    TflopsPerDeviceWithoutCore(String),
    /// So many tokens in the time that an overhead and the goodput leave: overhead · goodput / (1 − goodput).
    Goodput {
        tokens: String,
        overhead_hours: String,
        percent: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Divisor {
    pub(super) label: String,
    pub(super) tflops: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) preset: String,
    pub(super) core: Option<Measure>,
    #[serde(default)]
    pub(super) ignores_windows: bool,
    #[serde(default)]
    pub(super) leaves_mtp_projection_out: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Measure {
    Out,
    Half,
    Full,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Misreading {
    GatesLeftOut,
    MambaTwiceHidden,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figure {
    pub(super) name: Name,
    pub(super) printed: String,
    /// Where they are not the row's.
    pub(super) convention: Option<Rule>,
    pub(super) pace: Option<Speed>,
    /// What days are counted for: so many tokens, on so many devices where they are not the run's.
    pub(super) tokens: Option<String>,
    pub(super) devices: Option<u64>,
    pub(super) status: Status,
    pub(super) residual: Option<String>,
    pub(super) reason: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Name {
    MfuPercent,
    TflopsPerDevice,
    GflopsPerToken,
    TflopPerDevice,
    LearnablePercent,
    AttentionPercent,
    TokensPerSecond,
    TokensPerSecondPerDevice,
    TokensPerDay,
    Days,
    TotalParameters,
    ActiveParameters,
    ActiveParametersWithEmbedding,
    MlpParameters,
    AttentionParameters,
    EmbeddingParameters,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Reproduced,
    Fitted,
    Near,
    Mismatch,
}

pub(super) fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("../data/published.json")).unwrap()
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.preset)?;
        self.convention()
            .differences(&Convention::find(&self.preset).unwrap())
            .try_for_each(|axis| write!(f, ", {axis} {}", axis.value(&self.convention())))
    }
}

impl Rule {
    pub(super) fn convention(&self) -> Convention {
        let mut rule = Convention::find(&self.preset).unwrap();
        match self.core {
            Some(Measure::Out) => rule.core = Core::Out,
            Some(Measure::Half) => rule.core = Core::Half,
            Some(Measure::Full) => rule.core = Core::Full,
            None => {}
        }
        if self.ignores_windows {
            rule.windows = Windows::Ignored;
        }
        if self.leaves_mtp_projection_out {
            rule.mtp.projection = Inclusion::Out;
        }
        rule
    }
}

impl Model {
    pub(super) fn build(&self, inputs: &mut impl Iterator<Item = f64>) -> Architecture {
        match self {
            Self::Listed { catalog } => catalog::find(catalog).unwrap().architecture().unwrap(),
            Self::Built(built @ Built { parameters: Some(_), .. }) => {
                let parts = built.with(None).ledger().unwrap().parameters().total();
                let rest = inputs.next().unwrap() - parts as f64;
                built.with(Some(format!("{rest:.0}").parse().unwrap()))
            }
            Self::Built(built) => built.with(None),
        }
    }
}

impl Built {
    /// With so many parameters that no block holds.
    fn with(&self, rest: Option<u64>) -> Architecture {
        let begin = Architecture::decoder(self.hidden, self.vocab);
        let stacked =
            self.layers.iter().fold(begin, |builder, layers| builder.layers(layers.times, layer(&layers.blocks)));
        let rest = rest.map(|rest| Layer::new().with(Weights::new(rest, Component::FeedForwardUp)));
        let filled = rest.into_iter().fold(stacked, mfu::ArchitectureBuilder::layer);
        let tied = if self.tied { filled.tied() } else { filled };
        let modules = self.mtp.iter().map(|layers| Mtp::new(layers.times, layer(&layers.blocks)));
        modules.fold(tied, mfu::ArchitectureBuilder::mtp).build().unwrap()
    }
}

fn layer(parts: &[Part]) -> Layer {
    parts.iter().fold(Layer::new(), |layer, part| layer.with(Norm::rms()).with(part.block()))
}

impl Part {
    fn block(&self) -> Block {
        match *self {
            Self::Attention { heads, kv_heads, head_dim, qk_norm } => {
                let attention = Attention::grouped(heads, kv_heads, head_dim);
                if qk_norm { attention.qk_norm() } else { attention }.into()
            }
            Self::LatentAttention { heads, kv_rank, nope, rope, value } => {
                LatentAttention::new(heads, kv_rank, nope, rope, value).into()
            }
            Self::Gated(width) => FeedForward::gated(width).into(),
            Self::Plain(width) => FeedForward::plain(width).into(),
            Self::Experts { count, top_k, width, plain, latent, shared } => {
                let unit = if plain { FeedForward::plain } else { FeedForward::gated };
                let experts = Experts::new(count, top_k, unit(width));
                let experts = latent.map_or(experts, |width| experts.latent(width));
                shared.map_or(experts, |width| experts.shared(unit(width))).into()
            }
            Self::Mamba2 { heads, head_dim, state, groups, kernel } => {
                Mamba2::new(heads, head_dim, state, groups, kernel).norm().into()
            }
        }
    }
}
