#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/tensor_parallel/block.hpp>

namespace shardlab {

const char* name(Activation activation) {
    return activation == Activation::gelu ? "gelu" : "swiglu";
}

Activation activation_from_name(std::string_view name) {
    for (const Activation activation : {Activation::gelu, Activation::swiglu}) {
        if (name == shardlab::name(activation)) {
            return activation;
        }
    }
    throw invalid_argument("activation", std::string(name), "be gelu or swiglu");
}

const char* name(Norm norm) {
    return norm == Norm::layer ? "layer" : "rms";
}

Norm norm_from_name(std::string_view name) {
    for (const Norm norm : {Norm::layer, Norm::rms}) {
        if (name == shardlab::name(norm)) {
            return norm;
        }
    }
    throw invalid_argument("norm", std::string(name), "be layer or rms");
}

const char* name(Pass pass) {
    switch (pass) {
        case Pass::forward:
            return "forward";
        case Pass::backward:
            return "backward";
        case Pass::step:
            return "step";
    }
    return "";
}

const char* name(Block block) {
    switch (block) {
        case Block::mlp:
            return "mlp";
        case Block::attention:
            return "attention";
        case Block::transformer:
            return "transformer";
        case Block::vocabulary:
            return "vocabulary";
    }
    return "";
}

Block block_from_name(std::string_view name) {
    for (const Block block : {Block::mlp, Block::attention, Block::transformer, Block::vocabulary}) {
        if (name == shardlab::name(block)) {
            return block;
        }
    }
    throw invalid_argument("block", std::string(name), "be linear, mlp, attention, transformer or vocabulary");
}

const char* name(Mistake mistake) {
    switch (mistake) {
        case Mistake::forward_all_reduce:
            return "forward-all-reduce";
        case Mistake::backward_all_reduce:
            return "backward-all-reduce";
        case Mistake::column_first:
            return "column-first";
        case Mistake::whole_heads:
            return "whole-heads";
    }
    return "";
}

Mistake mistake_from_name(std::string_view name) {
    for (const Mistake mistake :
         {Mistake::forward_all_reduce, Mistake::backward_all_reduce, Mistake::column_first, Mistake::whole_heads}) {
        if (name == shardlab::name(mistake)) {
            return mistake;
        }
    }
    throw invalid_argument("forget", std::string(name),
                           "be forward-all-reduce, backward-all-reduce, column-first or whole-heads");
}

}  // namespace shardlab
