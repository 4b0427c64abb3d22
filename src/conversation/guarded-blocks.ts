import { type ContextBlock, ContextBlocks, type ContextConfig, type WritableContextProvider } from "agents/context";
import type { ToolSet } from "ai";
import { guarded, type ProviderCare } from "./guarded-provider.ts";

/** `ContextBlocks` whose providers are guarded, those added at run time too, and whose tools are made once. */
export class GuardedBlocks extends ContextBlocks {
  readonly #care: ProviderCare;
  #tools: { readonly made: ToolSet; readonly from: string } | undefined;

  constructor(
    configs: readonly ContextConfig[],
    promptStore: WritableContextProvider,
    storage: (label: string) => WritableContextProvider,
    care: ProviderCare,
  ) {
    super(
      configs.map((config) => guarded(config, care)),
      promptStore,
      storage,
    );
    this.#care = care;
  }

  override addBlock(config: ContextConfig): Promise<ContextBlock> {
    return super.addBlock(guarded(config, this.#care));
  }

  /** Their schemas are large and depend on the shape of the blocks alone, so they are kept until it changes. */
  override async tools(): Promise<ToolSet> {
    const from = JSON.stringify(
      this.getBlocks().map(({ label, description, writable, isSearchable }) => [
        label,
        description,
        writable,
        isSearchable,
      ]),
    );
    if (this.#tools?.from !== from) this.#tools = { made: await super.tools(), from };
    return this.#tools.made;
  }
}
