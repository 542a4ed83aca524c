//! Mamba and Mamba-2, by themselves and beside attention.

use super::Family;
use super::fields::Fields;
use super::invalid::Invalid;
use super::shared::{BY_HAND, Dim, Frame, Heads, Kv, Names, product, when};
use super::value::Value;
use crate::{
    ArchitectureBuilder, Block, Component, Experts, FeedForward, Layer, Linear, Mamba, Mamba2, Mtp, Norm, Result,
};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("mamba", mamba).also(&["falcon_mamba"]),
    Family::new("mamba2", pure_mamba2),
    Family::new("bamba", bamba),
    Family::new("falcon_h1", falcon_h1),
    Family::new("jamba", jamba),
    Family::new("nemotron_h", nemotron_h),
    Family::new("zamba2", zamba2),
];

/// A size that a file may leave to be worked out with the word `auto`.
fn size_or_auto(f: &Fields<'_>, name: &str, auto: impl FnOnce() -> Result<u64>) -> Result<u64> {
    if f.is_text(name, "auto")? || !f.has(name)? { auto() } else { f.needed(name) }
}

/// The rank of the time step that `auto` means: a sixteenth of the hidden size, rounded up.
const fn sixteenth(hidden: u64) -> u64 {
    hidden.div_ceil(16)
}

/// A Mamba mixer under the names that pure Mamba models use.
fn mixer(f: &Fields<'_>, hidden: u64, inner: u64) -> Result<Mamba> {
    let rank = size_or_auto(f, "time_step_rank", || Ok(sixteenth(hidden)))?;
    let mixer = Mamba::new(inner, f.size("state_size", 16)?, f.size("conv_kernel", 4)?, rank);
    let mixer = when(f.flag("use_bias", false)?, mixer, Mamba::bias);
    Ok(when(f.flag("use_conv_bias", true)?, mixer, Mamba::conv_bias))
}

/// One norm and one mixer a layer. Its inner width may be a field of its own. Falcon's norms of time step, B and C have
/// no weights.
fn mamba(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(768, 50_280, 32)?.tied(f, true)?;
    let expanded = product(f.size("expand", 2)?, frame.hidden);
    let inner = f.size("intermediate_size", expanded)?;
    Ok(frame.all(Layer::new().with(Norm::rms()).with(mixer(f, frame.hidden, inner)?)))
}

/// Heads that together are as wide as the inner width.
fn filled(
    f: &Fields<'_>,
    (field, value): (&str, u64),
    (by, factor): (&str, u64),
    (of, inner): (&'static str, u64),
) -> Result<()> {
    if value.checked_mul(factor) == Some(inner) {
        return Ok(());
    }
    Err(Invalid::NotFilled { field: f.named(field), value, by: f.named(by), factor, of, inner }.into())
}

fn pure_mamba2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_768, 64)?.tied(f, false)?;
    f.ignore("time_step_rank|intermediate_size");
    let (heads, dim) = (f.size("num_heads", 128)?, f.size("head_dim", 64)?);
    let inner = product(f.size("expand", 2)?, frame.hidden);
    filled(f, ("num_heads", heads), ("head_dim", dim), ("expand · hidden_size", inner))?;
    let groups = f.size("n_groups", 8)?;
    f.divided(("num_heads", heads), ("n_groups", groups))?;
    let mixer = Mamba2::new(heads, dim, f.size("state_size", 128)?, groups, f.size("conv_kernel", 4)?).norm();
    let mixer = when(f.flag("use_bias", false)?, mixer, Mamba2::bias);
    let mixer = when(f.flag("use_conv_bias", true)?, mixer, Mamba2::conv_bias);
    Ok(frame.all(Layer::new().with(Norm::rms()).with(mixer)))
}

/// A Mamba-2 mixer under the names that hybrids use, the bias of its output projection aside, of this inner width or
/// `mamba_expand` times the hidden size.
pub(super) fn mamba2(f: &Fields<'_>, hidden: u64, inner: Option<u64>) -> Result<Mamba2> {
    let expanded = product(f.size("mamba_expand", 2)?, hidden);
    let (of, inner) = inner.map_or(("mamba_expand · hidden_size", expanded), |inner| ("mamba_d_ssm", inner));
    let heads = f.size("mamba_n_heads", 128)?;
    let dim = size_or_auto(f, "mamba_d_head", || f.divided((of, inner), ("mamba_n_heads", heads)))?;
    filled(f, ("mamba_n_heads", heads), ("mamba_d_head", dim), (of, inner))?;
    let groups = f.size("mamba_n_groups", 1)?;
    f.divided(("mamba_n_heads", heads), ("mamba_n_groups", groups))?;
    let mixer = Mamba2::new(heads, dim, f.size("mamba_d_state", 256)?, groups, f.size("mamba_d_conv", 4)?);
    let mixer = when(f.flag("mamba_proj_bias", false)?, mixer, Mamba2::input_bias);
    Ok(when(f.flag("mamba_conv_bias", true)?, mixer, Mamba2::conv_bias))
}

fn bamba(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 128_000, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?.attention();
    let attention = f.biased(attention)?;
    let mlp = f.gated(14_336)?;
    let mamba = mamba2(f, frame.hidden, None)?.norm();
    let mamba = when(f.flag("mamba_proj_bias", false)?, mamba, Mamba2::output_bias);
    let layers = usize::try_from(frame.layers).unwrap_or(usize::MAX);
    let kinds = f.listed("attn_layer_indices", frame.layers)?.unwrap_or_else(|| vec![false; layers]);
    let [attending, other] = [Layer::pre_norm(attention, mlp), Layer::pre_norm(mamba, mlp)];
    Ok(frame.each(kinds, |attends| if *attends { attending.clone() } else { other.clone() }))
}

/// Attention and Mamba-2 side by side behind one norm.
fn falcon_h1(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 128_000, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?.attention();
    let attention = f.biased(attention)?;
    let mlp = f.gated(14_336)?;
    let mamba = mamba2(f, frame.hidden, f.optional("mamba_d_ssm", Some(1_024))?)?;
    let mamba = when(f.flag("mamba_rms_norm", false)?, mamba, Mamba2::norm);
    let mamba = when(f.flag("projectors_bias", false)?, mamba, Mamba2::output_bias);
    let layer = Layer::new().with(Norm::rms()).with(attention).with(mamba).with(Norm::rms()).with(mlp);
    Ok(frame.all(layer))
}

/// Attention in one layer of eight, experts in every other one.
fn jamba(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 65_536, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?.attention();
    let inner = product(f.size("mamba_expand", 2)?, frame.hidden);
    let rank = size_or_auto(f, "mamba_dt_rank", || Ok(sixteenth(frame.hidden)))?;
    let mamba = Mamba::new(inner, f.size("mamba_d_state", 16)?, f.size("mamba_d_conv", 4)?, rank).norms();
    let mamba = when(f.flag("mamba_proj_bias", false)?, mamba, Mamba::bias);
    let mamba = when(f.flag("mamba_conv_bias", true)?, mamba, Mamba::conv_bias);
    let mlp = FeedForward::gated(f.size("intermediate_size", 14_336)?);
    let names = Names {
        count: ("num_experts|num_local_experts", 16),
        top_k: ("num_experts_per_tok", 2),
        width: ("intermediate_size", 14_336),
    };
    let experts = if f.size(names.count.0, names.count.1)? == 1 {
        f.ignore(names.top_k.0);
        None
    } else {
        Some(f.experts(&names)?)
    };
    let every = |period: &str, offset: &str, [of, at]: [u64; 2]| -> Result<_> {
        let (of, at) = (f.size(period, of)?, f.count(offset, at)?);
        Ok(move |layer: u64| layer.checked_rem(of) == Some(at))
    };
    let attends = every("attn_layer_period", "attn_layer_offset", [8, 4])?;
    let sparse = every("expert_layer_period", "expert_layer_offset", [2, 1])?;
    let kinds = (0..frame.layers).map(|layer| (attends(layer), sparse(layer)));
    Ok(frame.each(kinds, |(attends, sparse)| {
        let mixer: Block = if *attends { attention.into() } else { mamba.into() };
        match experts {
            Some(experts) if *sparse => Layer::pre_norm(mixer, experts),
            _ => Layer::pre_norm(mixer, mlp),
        }
    }))
}

/// What one layer of Nemotron-H is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Mamba,
    Attention,
    FeedForward,
    Experts,
}

impl Kind {
    fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'M' => Some(Self::Mamba),
            '*' => Some(Self::Attention),
            '-' => Some(Self::FeedForward),
            'E' => Some(Self::Experts),
            _ => None,
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        match name {
            "linear_attention" | "mamba" => Some(Self::Mamba),
            "full_attention" | "attention" => Some(Self::Attention),
            "mlp" => Some(Self::FeedForward),
            "moe" => Some(Self::Experts),
            _ => None,
        }
    }
}

/// The layers that a pattern of letters or a list of names gives.
fn kinds(f: &Fields<'_>, pattern: &str, names: &str) -> Result<Option<Vec<Kind>>> {
    let patterned = match f.text(pattern)? {
        Some(letters) => {
            let kinds: Option<Vec<Kind>> = letters.chars().map(Kind::of_letter).collect();
            let why = "its letters are M, *, - and E";
            Some(kinds.ok_or_else(|| f.contradiction(pattern, &letters, why))?)
        }
        None => None,
    };
    let Some(list) = f.list(names)? else {
        return Ok(patterned);
    };
    let kind = |(index, value): (usize, &Value)| {
        match value {
            Value::Text(name) => Kind::of_name(name),
            _ => None,
        }
        .ok_or_else(|| f.entry(names, index, value, "linear_attention, full_attention, mlp or moe").into())
    };
    let listed: Vec<Kind> = list.iter().enumerate().map(kind).collect::<Result<_>>()?;
    if patterned.is_some_and(|patterned| patterned != listed) {
        let why = "the pattern of letters beside it says otherwise";
        return Err(f.contradiction(names, &format_args!("a list of {}", listed.len()), why).into());
    }
    Ok(Some(listed))
}

/// Each layer is one block behind a norm: Mamba-2, attention, a feed-forward or experts, of which none is gated.
fn nemotron_h(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let (hidden, vocab) = (f.size("hidden_size", 4_096)?, f.size("vocab_size", 131_072)?);
    let layers = kinds(f, "hybrid_override_pattern", "layers_block_type|layer_types")?;
    let layers = layers.unwrap_or_else(|| vec![Kind::Mamba, Kind::Experts, Kind::Attention, Kind::FeedForward]);
    let length = u64::try_from(layers.len()).unwrap_or(u64::MAX);
    let said = f.layers("num_hidden_layers", length.max(1))?;
    if said != length {
        let why = "the pattern of layers has another length";
        return Err(f.contradiction("num_hidden_layers", &said, why).into());
    }
    let frame = Frame::new(hidden, vocab, length).never_tied(f)?;
    let block = nemotron_h_blocks(f)?;
    let layer = |kind: &Kind| Layer::new().with(Norm::rms()).with(block(*kind));
    let builder = frame.each(layers, layer);
    let depth = f.depth("num_nextn_predict_layers")?;
    let further = kinds(f, "mtp_hybrid_override_pattern", "mtp_layers_block_type")?;
    if depth == 0 {
        return Ok(builder);
    }
    let further = further.unwrap_or_else(|| vec![Kind::Attention, Kind::Experts]);
    let module = further.iter().fold(Layer::new(), |layer, kind| layer.with(Norm::rms()).with(block(*kind)));
    Ok(builder.mtp(Mtp::new(depth, module)))
}

fn nemotron_h_blocks(f: &Fields<'_>) -> Result<impl Fn(Kind) -> Block + use<>> {
    // The reference implementation gives attention no bias, whatever this field says.
    f.refuse("attention_bias", "a bias on this attention")?;
    f.ignore("sliding_window|mamba_proj_bias|expand|moe_shared_expert_overlap");
    let queries = f.size("num_attention_heads", 32)?;
    let attention = Heads { queries, kv: queries, dim: f.size("head_dim|attention_head_dim", 128)? };
    let attention = f.key_value_heads("num_key_value_heads", attention, Kv::Default(8))?.attention();
    let heads = f.size("mamba_num_heads", 128)?;
    let groups = f.size("n_groups|mamba_n_groups", 8)?;
    f.divided(("mamba_num_heads", heads), ("n_groups", groups))?;
    let mamba = Mamba2::new(
        heads,
        f.size("mamba_head_dim", 64)?,
        f.size("ssm_state_size", 128)?,
        groups,
        f.size("conv_kernel|mamba_d_conv", 4)?,
    )
    .norm();
    let mamba = when(f.flag("use_bias", false)?, mamba, Mamba2::bias);
    let mamba = when(f.flag("use_conv_bias|mamba_conv_bias", true)?, mamba, Mamba2::conv_bias);
    let biased = f.flag("mlp_bias", false)?;
    let mlp = when(biased, FeedForward::plain(f.size("intermediate_size", 21_504)?), FeedForward::bias);
    let names = Names {
        count: ("n_routed_experts|num_local_experts", 8),
        top_k: ("num_experts_per_tok", 2),
        width: ("moe_intermediate_size", 7_688),
    };
    let experts = f.experts_of(&names, FeedForward::plain(f.size(names.width.0, names.width.1)?))?;
    let latent = f.optional("moe_latent_size", None)?;
    if let Some(width) = latent.filter(|_| biased) {
        let what = "a latent width beside biases";
        return Err(f.unsupported("moe_latent_size", &width, what, BY_HAND).into());
    }
    let experts = latent.map_or(experts, |width| experts.latent(width));
    let shared = FeedForward::plain(f.size("moe_shared_expert_intermediate_size", 7_688)?);
    let shared = when(biased, shared, FeedForward::bias);
    let experts = match f.count("n_shared_experts", 1)? {
        // The reference builds one of this width, however many there are.
        0 | 1 => Experts::shared(experts, shared),
        several => {
            let what = "more than one shared expert";
            let remedy = BY_HAND;
            return Err(f.unsupported("n_shared_experts", &several, what, remedy).into());
        }
    };
    Ok(move |kind| match kind {
        Kind::Mamba => mamba.into(),
        Kind::Attention => attention.into(),
        Kind::FeedForward => mlp.into(),
        Kind::Experts => experts.into(),
    })
}

/// Blocks of attention and feed-forward that several layers share, each use with adapters and a matrix of its own.
fn zamba2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let (hidden, vocab) = (f.size("hidden_size", 2_560)?, f.size("vocab_size", 32_000)?);
    let hybrid = zamba2_layers(f)?;
    if !f.flag_here_or_outside("tie_word_embeddings", true)? {
        // There the reference implementation shares no block either.
        let what = "a head apart from the embedding";
        return Err(f.unsupported("tie_word_embeddings", &false, what, BY_HAND).into());
    }
    let frame = Frame::new(hidden, vocab, u64::try_from(hybrid.len()).unwrap_or(u64::MAX)).tied(f, true)?;
    let width = f.size("intermediate_size", product(4, hidden))?;
    let heads = f.size("num_attention_heads", 32)?;
    let both = product(2, hidden);
    let dim = f.divided(("twice hidden_size", both), ("num_attention_heads", heads))?;
    for (names, implied, why) in [
        ("attention_hidden_size", both, "it is not twice hidden_size"),
        ("attention_head_dim|head_dim", dim, "it is not twice hidden_size / num_attention_heads"),
    ] {
        if let Some(other) = f.given(names)?.filter(|given| *given != implied) {
            return Err(f.contradiction(names, &other, why).into());
        }
    }
    f.ignore("kv_channels|num_query_groups");
    let heads = Heads { queries: heads, kv: heads, dim };
    let attention = f.key_value_heads("num_key_value_heads", heads, Kv::LikeQueries)?.attention().input_width(both);
    let biased = f.flag("add_bias_linear", false)?;
    let mlp = when(biased, FeedForward::gated(width), FeedForward::bias);
    let mamba = zamba2_mixer(f, hidden, biased)?;
    let rank = f.size("adapter_rank|lora_rank", 128)?;
    let on_attention = f.flag("use_shared_attention_adapter", false)?;
    let adapters = adapters(rank, both, hidden, width, on_attention);
    let blocks = f.size("num_mem_blocks", 1)?;

    let mut uses = 0_u64;
    let plain = Layer::new().with(Norm::rms()).with(mamba);
    let shared: [Block; 4] = [Norm::rms().width(both).into(), attention.into(), Norm::rms().into(), mlp.into()];
    let kinds = hybrid.into_iter().map(|hybrid| {
        if !hybrid {
            return None;
        }
        uses = uses.saturating_add(1);
        Some(uses > blocks)
    });
    let builder = frame.each(kinds, |kind| match kind {
        None => plain.clone(),
        Some(again) => {
            let layer = shared
                .iter()
                .cloned()
                .fold(Layer::new(), |layer, block| layer.with(if *again { Block::reused(block) } else { block }));
            let layer = adapters.iter().copied().fold(layer, Layer::with);
            plain.blocks().iter().cloned().fold(layer.with(Linear::new(hidden, hidden)), Layer::with)
        }
    });
    // The last norm is over the hidden size, whichever layer comes last.
    Ok(builder.final_norm(Norm::rms()))
}

/// The low-rank adapters of one use of a shared block.
fn adapters(rank: u64, both: u64, hidden: u64, width: u64, on_attention: bool) -> Vec<Linear> {
    use Component as C;
    let pair = |inputs, outputs, component| {
        [Linear::new(inputs, rank).part_of(component), Linear::new(rank, outputs).part_of(component)]
    };
    let projections = [C::QueryProjection, C::KeyProjection, C::ValueProjection];
    let attention = projections.into_iter().filter(|_| on_attention).flat_map(|part| pair(both, both, part));
    attention.chain(pair(hidden, product(2, width), C::FeedForwardUp)).collect()
}

fn zamba2_mixer(f: &Fields<'_>, hidden: u64, biased: bool) -> Result<Mamba2> {
    let heads = f.size("n_mamba_heads", 8)?;
    let inner = product(f.size("mamba_expand", 2)?, hidden);
    let dim = f.divided(("mamba_expand · hidden_size", inner), ("n_mamba_heads", heads))?;
    let of = "mamba_expand · hidden_size";
    filled(f, ("n_mamba_heads", heads), ("mamba_headdim", f.size("mamba_headdim", dim)?), (of, inner))?;
    let groups = f.size("mamba_ngroups", 1)?;
    f.divided(("n_mamba_heads", heads), ("mamba_ngroups", groups))?;
    let mixer = Mamba2::new(heads, dim, f.size("mamba_d_state", 64)?, groups, f.size("mamba_d_conv", 4)?).norm();
    Ok(when(biased, mixer.conv_bias(), Mamba2::bias))
}

/// Which layers use a shared block.
fn zamba2_layers(f: &Fields<'_>) -> Result<Vec<bool>> {
    // Zamba2-2.7B's: the fifty-four layers that the family has where a file does not say.
    const HYBRID: [u64; 9] = [6, 12, 18, 24, 30, 36, 42, 47, 51];
    const NAMES: &str = "layers_block_type|layer_types";
    let layers = f.layers("num_hidden_layers", 54)?;
    let known = |value: &Value| match value {
        Value::Text(name) if matches!(name.as_str(), "mamba" | "linear_attention") => Some(false),
        Value::Text(name) if name == "hybrid" => Some(true),
        _ => None,
    };
    let listed = f.each_layer(NAMES, layers, "linear_attention (mamba) or hybrid", known)?;
    let numbered = f.listed("hybrid_layer_ids", layers)?;
    if let Some(listed) = listed {
        if numbered.is_some_and(|numbered| numbered != listed) {
            let why = "`layers_block_type` says otherwise";
            return Err(f.contradiction("hybrid_layer_ids", &"a list", why).into());
        }
        return Ok(listed);
    }
    if let Some(numbered) = numbered {
        return Ok(numbered);
    }
    if layers != 54 {
        let why = "without `layers_block_type` there are 54";
        return Err(f.contradiction("num_hidden_layers", &layers, why).into());
    }
    Ok((0..layers).map(|layer| HYBRID.contains(&layer)).collect())
}
