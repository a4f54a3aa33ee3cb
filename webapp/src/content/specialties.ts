/** The texts of a specialty's page: what it shows, section by section. */
export interface SpecialtyTexts {
  readonly hero: {
    readonly title: string;
    readonly text: string;
    /** Leads to the booking form. */
    readonly book?: string;
    /** Leads to the section whose id is `processAnchor`. */
    readonly process?: string;
    readonly processAnchor?: string;
  };
  readonly sections: readonly Section[];
  readonly closing: {
    readonly heading: string;
    readonly text: string;
    readonly book: string;
    /** Leads to all services. */
    readonly all?: string;
    /** Leads to the first phone. */
    readonly phone?: string;
  };
}

interface Titled {
  readonly title: string;
  readonly text: string;
  readonly icon?: string;
}

interface Headed {
  readonly id: string;
  readonly heading: string;
  readonly intro?: string;
  readonly note?: string;
}

export type SectionOf<Kind extends Section["kind"]> = Extract<Section, { kind: Kind }>;

export type Section =
  | (Headed & { readonly kind: "text"; readonly paragraphs: readonly string[] })
  | (Headed & { readonly kind: "list"; readonly items: readonly string[] })
  | (Headed & { readonly kind: "cards"; readonly items: readonly Titled[] })
  | (Headed & { readonly kind: "steps"; readonly items: readonly Titled[] })
  | (Headed & {
      readonly kind: "stats";
      readonly items: readonly { readonly value: string; readonly label: string }[];
    })
  | (Headed & {
      readonly kind: "groups";
      readonly items: readonly { readonly title: string; readonly items: readonly string[] }[];
    })
  | (Headed & {
      readonly kind: "testimonials";
      readonly items: readonly {
        readonly quote: string;
        readonly name: string;
        readonly location?: string;
      }[];
    })
  | (Headed & {
      readonly kind: "faq";
      readonly items: readonly { readonly question: string; readonly answer: string }[];
    })
  | (Headed & { readonly kind: "beforeAfter"; readonly before: string; readonly after: string })
  | {
      readonly kind: "quote";
      readonly id: string;
      readonly text: string;
      readonly author: string;
    };
