/** How many testimonials the home page shows. */
export const testimonialsShown = 3;

/** How many stars a testimonial has at most. */
export const stars = 5;
