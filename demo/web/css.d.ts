// Vite turns an imported style sheet into a file of the page.
declare module "*.css";
