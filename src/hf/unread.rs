//! Fields that look as if they said something of a model's shape, and that nobody read.

use std::fmt;

/// Names of fields, as a message lists them.
#[derive(Clone, Debug)]
pub(super) struct Listed(pub(super) Vec<String>);

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 20;
        let shown: Vec<String> = self.0.iter().take(MOST).map(|name| format!("`{name}`")).collect();
        write!(f, "not read: {}", shown.join(", "))?;
        match self.0.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Whether a field's name says that it is about a size of the model.
pub(super) fn smells_of_geometry(name: &str) -> bool {
    const PARTS: [&str; 7] = ["experts", "window", "head", "intermediate", "latent", "nextn", "mtp"];
    const ENDS: [&str; 2] = ["_rank", "_layers"];
    /// Sizes as one family or another spells them.
    const WHOLE: [&str; 11] = [
        "hidden_size",
        "hidden_dim",
        "d_model",
        "n_embd",
        "n_embed",
        "n_layer",
        "n_layers",
        "d_ff",
        "d_kv",
        "ffn_dim",
        "n_inner",
    ];
    let name = name.to_ascii_lowercase();
    !is_irrelevant(&name)
        && (WHOLE.contains(&name.as_str())
            || PARTS.iter().any(|part| name.contains(part))
            || ENDS.iter().any(|end| name.ends_with(end)))
}

/// Fields that files of any family hold, and that change neither parameters nor work.
fn is_irrelevant(name: &str) -> bool {
    const NAMES: [&str; 7] = [
        // What was pruned is no longer in the sizes; an empty object in almost every file that has it.
        "pruned_heads",
        // How routing groups experts.
        "num_expert_group",
        "num_expert_groups",
        "mtp_loss_scaling_factor",
        // A head of another task than language modelling.
        "add_classification_head",
        // Which layers have rotary position, and in which order they are stored.
        "use_rope_layers",
        "order_of_interleaved_layers",
    ];
    // Factors of activations, `lm_head_multiplier` for example.
    NAMES.contains(&name) || name.ends_with("_multiplier") || name.ends_with("_multipliers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smells() {
        for name in ["num_experts", "kv_lora_rank", "SLIDING_window", "first_k_layers", "head_dim", "mtp_depth"] {
            assert!(smells_of_geometry(name), "{name}");
        }
        for name in
            ["vocab_size", "rank_zero_only", "rope_theta", "pruned_heads", "lm_head_multiplier", "attention_dropout"]
        {
            assert!(!smells_of_geometry(name), "{name}");
        }
    }
}
